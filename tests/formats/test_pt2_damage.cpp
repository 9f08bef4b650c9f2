// Files that are no .pt2, or no longer: each gives an error with place and reason, or the graph that was written.
#include <QtTest>

#include <filesystem>
#include <fstream>
#include <sstream>

#include <nlohmann/json.hpp>

#include "core/formats/pt2/writer.h"
#include "core/formats/reader.h"
#include "core/graph/print.h"
#include "core/graph/verify.h"
#include "tests/formats/zip_file.h"

using namespace inspector;
using nlohmann::json;

namespace {

const std::string small_program = TEST_DATA "/reference/buffer-counter/before.pt2";
const std::string program_with_graphs = TEST_DATA "/pt2/control-flow.pt2";

std::string content_of(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
}

std::string print(const Program& program) {
    std::string text;
    for (const ProgramGraph& graph : program.graphs) text += print_fx(graph.graph) + "\n";
    return text;
}

/// The records of `source` with its model.json replaced.
bool write_with_model(const std::string& path, const std::string& source, const std::string& model) {
    test::Records records = test::unzip(source);
    *test::record(records, "models/model.json") = model;
    return test::zip(path, records);
}

json model_of(const std::string& source) {
    test::Records records = test::unzip(source);
    return json::parse(*test::record(records, "models/model.json"));
}

/// Every value below `node`, as JSON pointers.
void pointers(const json& node, const json::json_pointer& here, std::vector<json::json_pointer>& all) {
    if (!here.empty()) all.push_back(here);
    if (node.is_object())
        for (const auto& [key, value] : node.items()) pointers(value, here / key, all);
    if (node.is_array())
        for (std::size_t i = 0; i < node.size(); ++i) pointers(node[i], here / i, all);
}

} // namespace

class TestPt2Damage : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void cutFiles();
    void flippedBytes();
    void changedStructure_data();
    void changedStructure();
    void errorsNamePlaceAndReason_data();
    void errorsNamePlaceAndReason();
    void missingEntries_data();
    void missingEntries();
    void foreignFiles_data();
    void foreignFiles();
    void deepJson();
    void limits();

private:
    QTemporaryDir folder_;
    std::string path_ = folder_.filePath("damaged.pt2").toStdString();

    /// Reads path_, and writes `intact` to it; true where that gave errors that are complete, or a graph that is
    /// well-formed.
    bool isHandled(const ProgramGraph& intact) const {
        const auto written = write_pt2(path_, intact, intact.graph, "/dev/null");
        if (!written && (written.error().file != path_ || written.error().reason.empty())) return false;
        const auto program = read_pt2(path_);
        if (!program) return program.error().file == path_ && !program.error().reason.empty();
        for (const ProgramGraph& graph : program->graphs)
            if (!verify(graph.graph).empty()) return false;
        return true;
    }
};

void TestPt2Damage::cutFiles() {
    for (const std::string& source :
         {small_program, program_with_graphs, std::string(TEST_DATA "/pt2/old-layout.pt2")}) {
        const std::string whole = content_of(source);
        for (std::size_t size = 0; size < whole.size(); size += 1000) {
            QVERIFY(test::write_anew(path_, std::string_view(whole).substr(0, size)));
            const auto program = read_pt2(path_);
            QVERIFY2(!program, (source + " cut to " + std::to_string(size)).c_str());
            QVERIFY(!program.error().reason.empty());
        }
    }
}

void TestPt2Damage::flippedBytes() {
    const std::string whole = content_of(small_program);
    const std::string printed = print(*read_pt2(small_program));
    int refused = 0;
    for (std::size_t place = 0; place < whole.size(); ++place) {
        std::string damaged = whole;
        damaged[place] = static_cast<char>(~damaged[place]);
        QVERIFY(test::write_anew(path_, damaged));
        const auto program = read_pt2(path_);
        if (program) QCOMPARE(print(*program), printed);
        else {
            QVERIFY(!program.error().reason.empty());
            ++refused;
        }
    }
    // The JSON alone is more than a third of that file.
    QVERIFY(refused > static_cast<int>(whole.size() / 3));
}

void TestPt2Damage::changedStructure_data() {
    QTest::addColumn<QString>("source");
    QTest::addColumn<int>("step");
    QTest::newRow("small") << QString::fromStdString(small_program) << 1;
    QTest::newRow("nested graphs") << QString::fromStdString(program_with_graphs) << 11;
    QTest::newRow("symbols") << TEST_DATA "/pt2/dynamic.pt2" << 23;
}

void TestPt2Damage::changedStructure() {
    QFETCH(QString, source);
    QFETCH(int, step);
    const json model = model_of(source.toStdString());
    std::vector<json::json_pointer> all;
    pointers(model, json::json_pointer(), all);
    const auto intact = read_pt2(source.toStdString());
    QVERIFY(intact);
    test::Records records = test::unzip(source.toStdString());
    const std::vector<json> replacements = {json(nullptr),
                                            json(-1),
                                            json(4611686018427387904),
                                            json(1e300),
                                            json("x"),
                                            json::array(),
                                            json::object(),
                                            json(true),
                                            json::array({json::object()}),
                                            json{{"as_tensor", {{"name", "nowhere"}}}}};
    for (std::size_t i = 0; i < all.size(); i += static_cast<std::size_t>(step)) {
        for (const json& replacement : replacements) {
            json changed = model;
            changed[all[i]] = replacement;
            *test::record(records, "models/model.json") = changed.dump();
            QVERIFY(test::zip(path_, records));
            QVERIFY2(isHandled(intact->graphs.front()), (all[i].to_string() + " → " + replacement.dump()).c_str());
        }
        json changed = model;
        json& parent = changed[all[i].parent_pointer()];
        if (parent.is_object()) parent.erase(all[i].back());
        else parent.erase(static_cast<std::size_t>(std::stoul(all[i].back())));
        *test::record(records, "models/model.json") = changed.dump();
        QVERIFY(test::zip(path_, records));
        QVERIFY2(isHandled(intact->graphs.front()), ("without " + all[i].to_string()).c_str());
    }
}

void TestPt2Damage::errorsNamePlaceAndReason_data() {
    QTest::addColumn<QString>("patch");
    QTest::addColumn<QString>("message");
    const auto row = [](const char* name, const char* patch, const char* message) {
        QTest::newRow(name) << patch << QString("models/model.json, ") + message;
    };
    // The program: placeholders b_n and x; node 0 is add, node 1 is mul.
    row("undefined value",
        R"([{"op": "replace", "path": "/graph_module/graph/nodes/1/inputs/0/arg/as_tensor/name", "value": "y"}])",
        "node 1 (mul), argument 'self': uses 'y', which nothing defines");
    row("defined later",
        R"([{"op": "replace", "path": "/graph_module/graph/nodes/0/inputs/0/arg/as_tensor/name", "value": "mul"}])",
        "node 0 (add), argument 'self': uses 'mul', which is not defined before it");
    row("defined by itself",
        R"([{"op": "replace", "path": "/graph_module/graph/nodes/0/inputs/0/arg/as_tensor/name", "value": "add"}])",
        "node 0 (add), argument 'self': uses 'add', which is not defined before it");
    row("name given twice",
        R"([{"op": "replace", "path": "/graph_module/graph/nodes/1/outputs/0/as_tensor/name", "value": "add"}])",
        "node 1 (mul): the name 'add' is given twice");
    row("name that is no identifier",
        R"([{"op": "replace", "path": "/graph_module/graph/nodes/1/outputs/0/as_tensor/name", "value": "a b"},
            {"op": "copy", "from": "/graph_module/graph/tensor_values/mul",
             "path": "/graph_module/graph/tensor_values/a b"}])"
            ,
        "node 1 (mul): the name 'a b' is no identifier");
    row("value without metadata", R"([{"op": "remove", "path": "/graph_module/graph/tensor_values/mul"}])",
        "node 1 (mul): nothing is said of the value 'mul'");
    row("unknown dtype", R"([{"op": "replace", "path": "/graph_module/graph/tensor_values/mul/dtype", "value": 99}])",
        "node 1 (mul), value 'mul': unknown dtype 99");
    row("negative size",
        R"([{"op": "replace", "path": "/graph_module/graph/tensor_values/x/sizes/0/as_int", "value": -4}])",
        "input 1, value 'x': the size, stride or offset -4 is negative");
    row("absurd size",
        R"([{"op": "replace", "path": "/graph_module/graph/tensor_values/x/sizes/0/as_int",
            "value": 4611686018427387904}])",
        "input 1, value 'x': the tensor is larger than 2^63 bytes");
    row("sizes without strides",
        R"([{"op": "replace", "path": "/graph_module/graph/tensor_values/x/strides", "value": []}])",
        "input 1, value 'x': the tensor has 2 sizes but 0 strides");
    row("unknown argument",
        R"([{"op": "replace", "path": "/graph_module/graph/nodes/0/inputs/1/arg", "value": {"as_magic": 1}}])",
        "node 0 (add), argument 'other': 'as_magic' is an unknown kind of argument");
    row("two kinds at once",
        R"([{"op": "add", "path": "/graph_module/graph/nodes/0/inputs/1/arg/as_none", "value": true}])",
        "node 0 (add), argument 'other': expected an object of one member, found 2");
    row("missing member", R"([{"op": "remove", "path": "/graph_module/graph/nodes/0/target"}])",
        "node 0 (add): 'target' is missing");
    row("no metadata", R"([{"op": "remove", "path": "/graph_module/graph/nodes/0/metadata"}])",
        "node 0 (add): 'metadata' is missing");
    row("list for object", R"([{"op": "replace", "path": "/graph_module/graph/nodes/0", "value": []}])",
        "node 0: expected an object, found a list");
    row("fewer inputs described", R"([{"op": "remove", "path": "/graph_module/signature/input_specs/1"}])",
        "signature: describes 1 input; the graph has 2");
    row("another input described",
        R"([{"op": "replace", "path": "/graph_module/signature/input_specs/0/buffer/arg/name", "value": "x"}])",
        "signature, input 0: is 'x', but the graph's is 'b_n'");
    row("another output described",
        R"([{"op": "replace", "path": "/graph_module/signature/output_specs/0/buffer_mutation/arg/name",
            "value": "mul"}])",
        "signature, output 0: is 'mul', but the graph's is 'add'");
    row("unknown kind of output",
        R"([{"op": "replace", "path": "/graph_module/signature/output_specs/0", "value": {"magic": {}}}])",
        "signature, output 0: 'magic' is an unknown kind of output");
    row("symbol that cannot be read", R"([{"op": "replace", "path": "/graph_module/graph/tensor_values/x/sizes/0",
            "value": {"as_expr": {"expr_str": "Symbol('s0'", "hint": null}}}])",
        "input 1, value 'x'");
}

void TestPt2Damage::errorsNamePlaceAndReason() {
    QFETCH(QString, patch);
    QFETCH(QString, message);
    const json changed = model_of(small_program).patch(json::parse(patch.toStdString()));
    QVERIFY(write_with_model(path_, small_program, changed.dump()));
    const auto program = read_pt2(path_);
    QVERIFY(!program);
    const QString whole = QString::fromStdString(program.error().message());
    const QString expected = QString::fromStdString(path_) + ": " + message;
    QVERIFY2(whole.startsWith(expected), qPrintable(whole + "\nexpected: " + expected));
}

void TestPt2Damage::missingEntries_data() {
    QTest::addColumn<QString>("entry");
    for (const char* entry : {"archive_format", "archive_version", ".data/version", "models/model.json",
                              "data/sample_inputs/model.pt", "data/weights/model_weights_config.json",
                              "data/constants/model_constants_config.json", "data/weights/weight_0"})
        QTest::newRow(entry) << entry;
}

void TestPt2Damage::missingEntries() {
    QFETCH(QString, entry);
    test::Records records = test::unzip(small_program);
    const auto before = records.size();
    std::erase_if(records, [&](const auto& record) { return record.first.ends_with("/" + entry.toStdString()); });
    QCOMPARE(records.size(), before - 1);
    QVERIFY(test::zip(path_, records));
    const auto program = read_pt2(path_);
    QVERIFY(!program);
    QVERIFY2(program.error().message().find(entry.toStdString()) != std::string::npos,
             program.error().message().c_str());
}

void TestPt2Damage::foreignFiles_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("reason");
    const auto archive = [&](const test::Records& records) {
        const std::string path = folder_.filePath("made.zip").toStdString();
        return test::zip(path, records) ? QByteArray::fromStdString(content_of(path)) : QByteArray();
    };
    QTest::newRow("empty") << QByteArray() << "is no ZIP archive";
    QTest::newRow("text") << QByteArray("graph():\n    return ()") << "is no ZIP archive";
    QTest::newRow("start of a ZIP") << QByteArray("PK\3\4 and then nothing")
                                    << "the ZIP archive is cut off or damaged: it has no valid directory at its end";
    QTest::newRow("other ZIP") << archive({{"a/b", "c"}})
                               << "is a ZIP archive without models/model.json: no exported program";
    QTest::newRow("AOTInductor") << archive({{"m/archive_format", "pt2"}, {"m/data/aotinductor/model/x.so", ""}})
                                 << "is an AOTInductor package: it holds compiled code and no graph";
    QTest::newRow("TorchScript") << archive({{"m/data.pkl", ""}, {"m/constants.pkl", ""}})
                                 << "is a TorchScript archive, which holds no exported program";
    QTest::newRow("torch.save") << archive({{"m/data.pkl", ""}})
                                << "is a file of torch.save, which holds no exported program";
    QTest::newRow("other format") << archive({{"m/models/model.json", "{}"}, {"m/archive_format", "zip"}})
                                  << "archive_format: does not say 'pt2'";
    QTest::newRow("entry twice") << QByteArray() << "";
}

void TestPt2Damage::foreignFiles() {
    QFETCH(QByteArray, content);
    QFETCH(QString, reason);
    if (reason.isEmpty()) {
        // libzip writes no such archive: make two names of the same length equal, in directory and headers.
        QVERIFY(test::zip(path_, {{"m/archive_format", "pt2"}, {"m/archive_formal", "pt2"}}));
        content = QByteArray::fromStdString(content_of(path_)).replace("formal", "format");
        reason = "archive_format: stands twice in the ZIP archive";
    }
    QVERIFY(test::write_anew(path_, content.toStdString()));
    const auto program = read_pt2(path_);
    QVERIFY(!program);
    QCOMPARE(QString::fromStdString(program.error().message()), QString::fromStdString(path_) + ": " + reason);

    const auto missing = read_pt2(path_ + ".none");
    QCOMPARE(missing.error().reason, std::string("there is no such file"));
    QCOMPARE(read_pt2(folder_.path().toStdString()).error().reason, std::string("is not a file"));
}

void TestPt2Damage::deepJson() {
    const std::string deep = std::string(10'000, '[') + std::string(10'000, ']');
    QVERIFY(write_with_model(path_, small_program, deep));
    QCOMPARE(read_pt2(path_).error().message(), path_ + ": models/model.json: is nested deeper than 200 levels");

    std::string arguments = R"({"as_none": true})";
    for (int i = 0; i < 5'000; ++i) arguments = R"({"as_string_to_argument": {"a": )" + arguments + "}}";
    QVERIFY(write_with_model(path_, small_program, arguments));
    QCOMPARE(read_pt2(path_).error().message(), path_ + ": models/model.json: is nested deeper than 200 levels");

    QVERIFY(write_with_model(path_, small_program, "{\"graph_module\": \x01"));
    const std::string message = read_pt2(path_).error().message();
    QVERIFY2(message.starts_with(path_ + ": models/model.json, byte 18: is not valid JSON: "), message.c_str());
}

void TestPt2Damage::limits() {
    ReadOptions options;
    options.limits.nodes = 3;
    QCOMPARE(read_pt2(small_program, options).error().message(),
             small_program + ": models/model.json, node 1 (mul): the graph has more than 3 nodes");
    options = {};
    options.limits.text_bytes = 1000;
    const std::string message = read_pt2(small_program, options).error().message();
    QVERIFY2(message.starts_with(small_program + ": models/model.json: has "), message.c_str());
    QVERIFY(message.ends_with("the limit is 1000"));
}

QTEST_APPLESS_MAIN(TestPt2Damage)
#include "test_pt2_damage.moc"
