// Files made to do harm: they are refused with a reason, or what stands in them is shown as it stands.
#include <QTemporaryDir>
#include <QtTest>

#include <nlohmann/json.hpp>

#include "core/formats/dot/dot_text.h"
#include "core/formats/pt2/archive.h"
#include "core/formats/python/python_module.h"
#include "core/formats/reader.h"
#include "core/formats/report/report.h"
#include "core/formats/svg/layered_svg.h"
#include "core/formats/torchscript/archived_state.h"
#include "core/formats/torchscript/pickle.h"
#include "tests/formats/zip_file.h"

using namespace inspector;

class TestHostileInput : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void recordsThatUnpackToTooMuch();
    void recordsThatLieAboutTheirSize_data();
    void recordsThatLieAboutTheirSize();
    void pathsThatLeadElsewhere();
    void aModuleThatHoldsItself();
    void modulesOfLongNames();
    void pickledNamesThatAreRecalled();
    void pickledSizesThatAreRecalled();
    void aMillionNames();
    void graphsWithoutEnd();
    void linesAndValuesWithoutEnd();
    void markupAndCommandsAreShown_data();
    void markupAndCommandsAreShown();

private:
    Result<torchscript::ModuleState> state_of(const std::string& pickle) {
        if (!test::zip(path_, {{"m/data.pkl", pickle}, {"m/constants.pkl", "]."}})) qFatal("no archive");
        const auto archive = pt2::Archive::open(path_);
        if (!archive) qFatal("%s", archive.error().message().c_str());
        Program program;
        return torchscript::read_state(*archive, ReadLimits{}.depth, ReadLimits{}.text_bytes, program);
    }
    QTemporaryDir folder_;
    std::string path_ = folder_.filePath("hostile.pt2").toStdString();
};

namespace {

/// `name` as a pickle has it, kept under `place`.
std::string kept_text(const std::string& name, char place) {
    std::string size(4, '\0');
    for (std::size_t i = 0; i < 4; ++i) size[i] = static_cast<char>(name.size() >> (8 * i) & 0xFF);
    return "X" + size + name + "q" + place;
}

std::string kept_class(const std::string& name, char place) { return "c__torch__\n" + name + "\nq" + place; }

std::string repeated(const std::string& text, int count) {
    std::string all;
    for (int i = 0; i < count; ++i) all += text;
    return all;
}

void set_number(std::string& bytes, std::size_t at, std::uint32_t number) {
    for (std::size_t i = 0; i < 4; ++i) bytes[at + i] = static_cast<char>(number >> (8 * i) & 0xFF);
}

} // namespace

void TestHostileInput::recordsThatUnpackToTooMuch() {
    const std::string zeros(64 << 20, '\0');
    const auto bytes = test::zip_bytes({{"m/models/model.json", zeros}}, ZIP_CM_DEFLATE);
    QVERIFY(bytes && bytes->size() < 1'000'000);
    QVERIFY(test::write_anew(path_, *bytes));
    ReadOptions options;
    options.limits.text_bytes = 1 << 20;
    const auto archive = pt2::Archive::open(path_);
    QVERIFY(archive.has_value());
    const auto record = archive->read("models/model.json", options.limits.text_bytes);
    QVERIFY(!record);
    QCOMPARE(record.error().message(), std::string("models/model.json: has 67108864 bytes; the limit is 1048576"));
    const auto packed = archive->read("models/model.json", ReadLimits{}.text_bytes);
    QVERIFY(!packed);
    QCOMPARE(packed.error().message(), std::string("models/model.json: unpacks to more than 200 times its size"));
}

void TestHostileInput::recordsThatLieAboutTheirSize_data() {
    QTest::addColumn<quint32>("said");
    QTest::addColumn<QString>("reason");
    QTest::newRow("less") << quint32(10) << "is longer than the archive's directory says";
    QTest::newRow("more") << quint32(10'000'000) << "is cut off after 5000000 bytes";
}

void TestHostileInput::recordsThatLieAboutTheirSize() {
    QFETCH(quint32, said);
    QFETCH(QString, reason);
    auto bytes = test::zip_bytes({{"m/models/model.json", std::string(5'000'000, '[')}}, ZIP_CM_DEFLATE);
    QVERIFY(bytes.has_value());
    set_number(*bytes, 22, said);                               // the local header's size
    set_number(*bytes, bytes->find("PK\x01\x02") + 24, said);   // the directory's
    QVERIFY(test::write_anew(path_, *bytes));
    const auto archive = pt2::Archive::open(path_);
    QVERIFY(archive.has_value());
    const auto record = archive->read("models/model.json", ReadLimits{}.text_bytes);
    QVERIFY(!record);
    QCOMPARE(QString::fromStdString(record.error().reason), reason);
}

void TestHostileInput::pathsThatLeadElsewhere() {
    test::Records records = test::unzip(TEST_DATA "/pt2/wrapped.pt2");
    const auto root = records.front().first.substr(0, records.front().first.find('/') + 1);
    records.emplace_back(root + "../../escaped", "x");
    records.emplace_back("/escaped", "x");
    QVERIFY(test::zip(path_, records));
    const auto program = read_program(path_);
    QVERIFY2(program, program ? "" : program.error().message().c_str());
    QCOMPARE(QDir(folder_.path()).entryList(QDir::Files), QStringList{QStringLiteral("hostile.pt2")});
    QVERIFY(!QFile::exists(folder_.filePath("../escaped")) && !QFile::exists(QStringLiteral("/escaped")));
}

void TestHostileInput::aModuleThatHoldsItself() {
    const auto state = state_of(kept_class("M", 0) + ")\x81q\x01}(" + kept_text("self", 2) + "h\x01" + "ub.");
    QVERIFY(!state);
    QCOMPARE(state.error().message(), std::string("data.pkl: modules are nested deeper than 200"));

    // A list that holds itself is no attribute with a plain value; nothing else is lost.
    const auto list = state_of(kept_class("M", 0) + ")\x81}(" + kept_text("list", 2) + "]q\x03h\x03" + "a" + kept_text("n", 4) + "K\x07ub.");
    QVERIFY2(list, list ? "" : list.error().message().c_str());
    QCOMPARE(list->plain.size(), std::size_t(1));
    QVERIFY(list->plain.contains("n"));
}

// Each module holds the next one twice, under names of 64 KB: 2^18 paths of up to a megabyte.
void TestHostileInput::modulesOfLongNames() {
    std::string pickle = kept_class("M", 0) + kept_text(std::string(65536, 'a'), 1) + kept_text(std::string(65536, 'b'), 2) + "00";
    const std::string new_module = std::string("h") + '\0' + ")\x81";
    pickle += new_module + "}bq\x03";
    for (int i = 0; i < 18; ++i) pickle += "0" + new_module + "}(h\x01h\x03h\x02h\x03ubq\x03";
    const auto state = state_of(pickle + ".");
    QVERIFY(!state);
    QCOMPARE(state.error().message(), std::string("data.pkl: the paths and texts of the attributes take more than 268435456 bytes"));
}

void TestHostileInput::pickledNamesThatAreRecalled() {
    const std::string pickle = kept_class(std::string(1 << 20, 'M'), 0) + repeated(std::string("h") + '\0' + ")\x81", 1000) + ".";
    const auto read = torchscript::read_pickle(pickle);
    QVERIFY(!read);
    QCOMPARE(read.error().reason, std::string("names that are recalled take more than 268435456 bytes"));
}

void TestHostileInput::pickledSizesThatAreRecalled() {
    const std::string storage = "(" + kept_text("storage", 0) + "ctorch\nFloatStorage\n" + kept_text("0", 1) + kept_text("cpu", 2) +
                                "K\x01tQ";
    const std::string tensor = "ctorch._utils\n_rebuild_tensor_v2\n(" + storage + std::string("K\0", 2) + "(" + repeated("K\x01", 65) + "tq\x03h\x03tR.";
    const auto read = torchscript::read_pickle(tensor);
    QVERIFY(!read);
    QCOMPARE(read.error().reason, std::string("a tensor has more than 64 dimensions"));
}

void TestHostileInput::aMillionNames() {
    constexpr std::uint32_t count = 1'000'000;
    std::string text = "graph():\n";
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::string name = "x" + std::to_string(i);
        text += "    %" + name + " : [num_users=0] = placeholder[target=" + name + "]\n";
    }
    text += "    return None\n";
    ReadOptions options;
    const auto program = read_fx_text(text, options);
    QVERIFY2(program, program ? "" : program.error().message().c_str());
    QCOMPARE(program->graphs.front().graph.size(), std::size_t(count + 1));
    options.limits.nodes = count;
    const auto refused = read_fx_text(text, options);
    QVERIFY(!refused);
    QCOMPARE(refused.error().reason, std::string("the graph has more than 1000000 nodes"));
}

// Of one text, and of all messages of a log together.
void TestHostileInput::graphsWithoutEnd() {
    const std::string prefix = "V0705 10:00:00.000000 1 torch/_inductor/compile_fx.py:1] [0/0] [__post_grad_graphs] ";
    const std::string graph = "graph():\n    return None\n";
    const std::string logged = prefix + "graph():\n" + prefix + "    return None\n" + "Dear reader,\n";
    ReadOptions options;
    options.limits.graphs = 50;
    for (const std::string& each : {graph, logged}) {
        const auto program = read_fx_text(repeated(each, 50), options);
        QVERIFY2(program, program ? "" : program.error().message().c_str());
        QCOMPARE(program->graphs.size(), std::size_t(50));
        const auto refused = read_fx_text(repeated(each, 51), options);
        QVERIFY(!refused);
        QCOMPARE(refused.error().reason, std::string("there are more than 50 graphs"));
    }
}

void TestHostileInput::linesAndValuesWithoutEnd() {
    const auto error_of = [](std::string text) {
        const auto program = read_text(std::move(text));
        return program ? std::string() : program.error().message();
    };
    ReadLimits limits;
    QCOMPARE(error_of(std::string(limits.text_items + 1, '\n')), std::string("the text has more than 20000000 lines"));
    std::string call = "def forward(self, x):\n    a = torch.cat([";
    for (std::uint32_t i = 0; i <= limits.text_items; ++i) call += "x,";
    QCOMPARE(error_of(call + "])\n    return a\n"), std::string("the text has more than 20000000 values"));
}

void TestHostileInput::markupAndCommandsAreShown_data() {
    QTest::addColumn<QString>("text");
    QTest::newRow("element") << "<img src=x onerror=alert(1)>";
    QTest::newRow("end of a script") << "</script><script>alert(1)</script>";
    QTest::newRow("entity") << "&lt;b&gt;";
    QTest::newRow("attribute") << "\" onmouseover=\"alert(1)";
    QTest::newRow("command") << "$(touch hostile); `touch hostile` && touch hostile";
    QTest::newRow("Python") << "\"); import os; os.system('true') #";
    QTest::newRow("link") << "[here](javascript:alert(1))";
    QTest::newRow("code") << "```\n<b>x</b>\n```";
}

// As a node's name, an argument and a file's name.
void TestHostileInput::markupAndCommandsAreShown() {
    QFETCH(QString, text);
    const std::string hostile = text.toStdString();
    using Json = nlohmann::json;
    const auto node = [](const char* op, const std::string& name, const char* target, const Json& args) {
        return Json{{"op", op}, {"name", name}, {"target", target}, {"args", args},
                    {"meta", {{"tensor", {{"dtype", "f32"}, {"sizes", {4}}, {"strides", {1}}}}}}};
    };
    Json nodes{node("placeholder", "x", "x", Json::array()),
               node("call_function", hostile, "torch.ops.aten.relu.default", Json::array({{{"node", "x"}}})),
               node("call_function", "div", "torch.ops.aten.div.Tensor_mode", Json::array({{{"node", hostile}}, {{"node", "x"}}})),
               {{"op", "output"}, {"name", "output"}, {"target", "output"}, {"args", Json::array({{{"node", "div"}}})}}};
    nodes[1]["stack_trace"] = "  File \"" + hostile + ".py\", line 3, in forward\n    " + hostile;
    nodes[2]["kwargs"] = Json::array({Json::array({"rounding_mode", hostile})});
    const Json document{{"reinplace_session", 1}, {"session", {{"graph", 0}, {"policy", "sound"}, {"position", 0}}}, {"program", Json::object()},
                        {"graphs", Json::array({{{"id", "root"}, {"nodes", nodes}}})}};
    const auto program = read_session_document(document.dump());
    QVERIFY2(program, program ? "" : program.error().message().c_str());
    const ProgramGraph& graph = program->graphs.front();

    auto session = ReinplaceSession::start(graph, {.policy = "sound", .first = {}, .choices = {}, .donated = {}});
    QVERIFY(session.has_value());
    (*session)->run_to_end();
    const Report report = make_report(hostile + ".txt", graph, **session);

    const QString page = QString::fromStdString(print_html(report));
    QVERIFY(!page.contains(QStringLiteral("<img")) && !page.contains(QStringLiteral("<script")) && !page.contains(QStringLiteral("<b>x")));
    QVERIFY(page.contains(text.toHtmlEscaped()));

    QString markdown = QString::fromStdString(print_markdown(report));
    markdown.remove(QRegularExpression(QStringLiteral("\\\\."))); // what is escaped
    QVERIFY(!markdown.contains('<') && !markdown.contains('`') && !markdown.contains(QStringLiteral("](")));

    const auto module = print_python_module(*program, 0, graph.graph, "weights.pt2");
    QVERIFY2(module, module ? "" : module.error().message().c_str());
    for (const QString& line : QString::fromStdString(*module).split('\n'))
        QVERIFY2(line.isEmpty() || line.startsWith('#') || line == QStringLiteral("import torch") || line.startsWith(QStringLiteral("def forward(x)")) ||
                     line.startsWith(QStringLiteral("    ")), qPrintable(line));

    const auto sarif = nlohmann::json::parse(print_sarif(report));
    QVERIFY(sarif.contains("runs"));

    const Picture picture = make_picture(graph, session->get());
    QString dot = QString::fromStdString(print_dot(picture));
    dot.replace(QRegularExpression(QStringLiteral("\\\\.")), QStringLiteral("_")); // what is escaped
    QCOMPARE(dot.contains(text), !text.contains('"') && !text.contains('&') && !text.contains('\n'));
    QXmlStreamReader xml(QByteArray::fromStdString(print_layered_svg(picture)));
    while (!xml.atEnd()) {
        xml.readNext();
        if (xml.isStartElement()) QVERIFY(xml.name() != QStringLiteral("script") && xml.name() != QStringLiteral("img"));
    }
    QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
}

QTEST_APPLESS_MAIN(TestHostileInput)
#include "test_hostile_input.moc"
