#include <QtTest>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <nlohmann/json.hpp>

#include "core/formats/reader.h"
#include "core/graph/print.h"
#include "core/graph/verify.h"
#include "tests/formats/zip_file.h"

using namespace inspector;

namespace {

const std::string data = TEST_DATA "/pt2/";

std::string content_of(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

/// Every graph as make_programs.py writes them.
std::string print(const Program& program) {
    std::string text;
    for (const ProgramGraph& graph : program.graphs) text += "=== " + graph.id + "\n" + print_fx(graph.graph) + "\n";
    return text;
}

Program read(const std::string& name) {
    auto program = read_pt2(data + name + ".pt2");
    if (!program) QTest::qFail(program.error().message().c_str(), __FILE__, __LINE__);
    return program ? std::move(*program) : Program{};
}

const ProgramGraph* graph_of(const Program& program, std::string_view id) {
    const auto found = std::find_if(program.graphs.begin(), program.graphs.end(),
                                    [&](const ProgramGraph& graph) { return graph.id == id; });
    return found == program.graphs.end() ? nullptr : &*found;
}

const Node& node_of(const ProgramGraph& graph, std::string_view name) {
    return graph.graph.node(graph.graph.find(name));
}

} // namespace

class TestPt2Reader : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void severalModels();
    void printsTheSavedGraph_data();
    void printsTheSavedGraph();
    void readsTheReferenceCases();
    void readsPackedArchives();
    void nestedGraphsNameTheirParent();
    void multipleResultsKeepCountAndNames();
    void signatureHasKindsTargetsAndMutations();
    void moduleCallsNameTheirValues();
    void tiedParametersShareARecord();
    void symbolsHaveRangesAndHints();
    void scalarsHaveMetadata();
    void originIsKept();
    void deadResultsThatAreUsedAfterAllAreMade();
    void namelessNodesAreNamedByTarget();
    void reportsProgress();
    void stopsWhenCancelled();
};

void TestPt2Reader::printsTheSavedGraph_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"arguments", "control-flow", "dynamic", "inputs-functional", "inputs-training",
                             "old-layout", "old-layout-control-flow", "results", "voids", "wrapped"})
        QTest::newRow(name) << name;
}

void TestPt2Reader::printsTheSavedGraph() {
    QFETCH(QString, name);
    const Program program = read(name.toStdString());
    QCOMPARE(QString::fromStdString(print(program)),
             QString::fromStdString(content_of(data + name.toStdString() + ".fx.txt")));
    for (const ProgramGraph& graph : program.graphs) QVERIFY(verify(graph.graph).empty());
}

void TestPt2Reader::readsTheReferenceCases() {
    int read = 0;
    for (const auto& folder : std::filesystem::directory_iterator(TEST_DATA "/reference")) {
        const std::string path = (folder.path() / "before.pt2").string();
        if (!std::filesystem::exists(path)) continue;
        const auto program = read_pt2(path);
        QVERIFY2(program, program ? "" : program.error().message().c_str());
        QVERIFY(program->graphs.front().signature);
        for (const ProgramGraph& graph : program->graphs) QVERIFY2(verify(graph.graph).empty(), path.c_str());
        ++read;
    }
    QVERIFY(read >= 20);
}

void TestPt2Reader::readsPackedArchives() {
    const QTemporaryDir folder;
    const std::string path = folder.filePath("packed.pt2").toStdString();
    const test::Records records = test::unzip(data + "results.pt2");
    QVERIFY(test::zip(path, records, ZIP_CM_DEFLATE));
    const auto program = read_pt2(path);
    QVERIFY2(program, program ? "" : program.error().message().c_str());
    QCOMPARE(print(*program), content_of(data + "results.fx.txt"));
}

void TestPt2Reader::nestedGraphsNameTheirParent() {
    const Program program = read("control-flow");
    QCOMPARE(program.graphs.front().id, std::string("root"));
    QCOMPARE(program.graphs.front().kind, std::string("pt2"));
    QVERIFY(!program.graphs.front().parent);
    const ProgramGraph* inner = graph_of(program, "true_graph_0.false_graph_0");
    QVERIFY(inner);
    QCOMPARE(inner->kind, std::string("subgraph"));
    QCOMPARE(inner->attribute, std::string("false_graph_0"));
    QVERIFY(inner->parent);
    QCOMPARE(program.graphs[*inner->parent].id, std::string("true_graph_0"));
    for (std::size_t i = 1; i < program.graphs.size(); ++i) QVERIFY(*program.graphs[i].parent < i);
}

void TestPt2Reader::multipleResultsKeepCountAndNames() {
    const Program program = read("results");
    const ProgramGraph& root = program.graphs.front();

    // Four rows are taken, one is used.
    const auto* rows = std::get_if<ListMeta>(&node_of(root, "unbind").meta);
    QVERIFY(rows);
    QCOMPARE(rows->items.size(), std::size_t{4});
    QCOMPARE(rows->names.front(), std::string("unbind_unused_0"));
    QVERIFY(rows->items.front());
    QCOMPARE(rows->items.front()->sizes, std::vector<SymbolicSize>{4});
    QCOMPARE(root.graph.find("unbind_unused_0"), no_node);

    // A result that is None has no name.
    const auto* gradients = std::get_if<ListMeta>(&node_of(root, "convolution_backward").meta);
    QVERIFY(gradients);
    QCOMPARE(gradients->items.size(), std::size_t{3});
    QVERIFY(!gradients->items[2]);
    QCOMPARE(gradients->names[2], std::string());

    // A list within a tuple.
    const Node& list = root.graph.node(root.graph.inputs(root.graph.find("getitem_17")).front());
    QCOMPARE(list.name, std::string("getitem_16"));
    QCOMPARE(std::get<ListMeta>(list.meta).items.size(), std::size_t{2});
}

void TestPt2Reader::signatureHasKindsTargetsAndMutations() {
    using In = InputSpec::Kind;
    using Out = OutputSpec::Kind;
    const Program program = read("inputs-functional");
    const Signature& signature = *program.graphs.front().signature;
    const auto input = [&](const std::string& placeholder) {
        return *std::find_if(signature.inputs.begin(), signature.inputs.end(),
                             [&](const InputSpec& spec) { return spec.placeholder == placeholder; });
    };
    QCOMPARE(input("p_linear_weight").kind, In::parameter);
    QCOMPARE(input("p_linear_weight").target, std::string("linear.weight"));
    QCOMPARE(input("b_count").persistent, std::optional(true));
    QCOMPARE(input("b_scratch").persistent, std::optional(false));
    QCOMPARE(input("c_table").kind, In::tensor_constant);
    QCOMPARE(input("word").kind, In::constant);
    QCOMPARE(input("scale").kind, In::user_input);

    QCOMPARE(signature.outputs[0].kind, Out::buffer_mutation);
    QCOMPARE(signature.outputs[0].target, std::string("count"));
    QCOMPARE(signature.outputs[1].kind, Out::user_input_mutation);
    QCOMPARE(signature.outputs[1].target, std::string("x"));
    QCOMPARE(signature.outputs.back().kind, Out::user_output);
    QCOMPARE(signature.outputs.back().value, std::string("scale"));
    QCOMPARE(program.verifiers, std::vector<std::string>{"ATEN"});
}

void TestPt2Reader::moduleCallsNameTheirValues() {
    const Program program = read("inputs-training");
    const std::vector<ModuleCall>& calls = program.graphs.front().module_calls;
    QCOMPARE(calls.size(), std::size_t{3});
    QCOMPARE(calls[0].module, std::string());
    QCOMPARE(calls[1].module, std::string("linear"));
    QCOMPARE(calls[1].inputs, std::vector<std::string>{"mul_"});
    QCOMPARE(calls[1].outputs, std::vector<std::string>{"linear"});
    QCOMPARE(calls[2].module, std::string("tied"));
    QVERIFY(calls[2].inputs.empty());
}

void TestPt2Reader::tiedParametersShareARecord() {
    const Program program = read("inputs-training");
    const auto stored = [&](std::string_view name) {
        return *std::find_if(program.tensors.begin(), program.tensors.end(),
                             [&](const StoredTensor& tensor) { return tensor.name == name; });
    };
    QCOMPARE(stored("linear.weight").record, stored("tied.weight").record);
    QVERIFY(stored("linear.weight").is_parameter);
    QVERIFY(!stored("count").is_parameter);
    QCOMPARE(stored("linear.weight").meta.sizes, (std::vector<SymbolicSize>{4, 4}));
    QVERIFY(stored("table").record.starts_with("data/constants/"));
    QVERIFY(read("old-layout").tensors.empty());
    QCOMPARE(read("old-layout").notes.size(), std::size_t{1});
}

void TestPt2Reader::symbolsHaveRangesAndHints() {
    const Program program = read("dynamic");
    const ProgramGraph& root = program.graphs.front();
    const auto* x = std::get_if<TensorMeta>(&node_of(root, "x").meta);
    QVERIFY(x && !x->sizes[0].is_constant());
    const std::string rows = x->sizes[0].to_string();
    QCOMPARE(root.hints.at(rows), std::int64_t{6});
    const auto range = std::find_if(root.ranges.begin(), root.ranges.end(),
                                    [&](const SymbolRange& each) { return each.symbol == rows; });
    QVERIFY(range != root.ranges.end());
    QCOMPARE(range->minimum, std::optional<std::int64_t>(3));
    QCOMPARE(range->maximum, std::optional<std::int64_t>(64));
    const auto unbacked = std::find_if(root.ranges.begin(), root.ranges.end(),
                                       [](const SymbolRange& each) { return each.symbol == "u2"; });
    QVERIFY(unbacked != root.ranges.end());
    QVERIFY(!unbacked->minimum && !unbacked->maximum);
}

void TestPt2Reader::scalarsHaveMetadata() {
    const Program program = read("dynamic");
    const ProgramGraph& root = program.graphs.front();
    const auto* size = std::get_if<ScalarMeta>(&node_of(root, "sym_size_int_8").meta);
    QVERIFY(size && size->kind == ScalarMeta::Kind::integer);
    QCOMPARE(size->value.hint(), std::optional<std::int64_t>(6));
    const auto* holds = std::get_if<ScalarMeta>(&node_of(root, "ge_6").meta);
    QVERIFY(holds && holds->kind == ScalarMeta::Kind::boolean);
    QCOMPARE(holds->value.to_string(), std::string("u0 >= 0"));
    const auto* real = std::get_if<ScalarMeta>(&node_of(root, "sym_float").meta);
    QVERIFY(real && real->kind == ScalarMeta::Kind::floating);
    QVERIFY(std::holds_alternative<NoneMeta>(node_of(root, "_assert_scalar_default").meta));
}

void TestPt2Reader::originIsKept() {
    const Program program = read("results");
    const ProgramGraph& root = program.graphs.front();
    const NodeOrigin& split = node_of(root, "split").origin;
    QVERIFY(split.stack_trace.find("x.split(2)") != std::string::npos);
    QVERIFY(std::any_of(split.properties.begin(), split.properties.end(),
                        [](const auto& property) { return property.first == "nn_module_stack"; }));
    QCOMPARE(node_of(root, "getitem").origin.stack_trace, split.stack_trace);
    QVERIFY(!split.created_by_pass);
}

void TestPt2Reader::deadResultsThatAreUsedAfterAllAreMade() {
    const QTemporaryDir folder;
    const std::string path = folder.filePath("edited.pt2").toStdString();
    test::Records records = test::unzip(data + "results.pt2");
    std::string& model = *test::record(records, "models/model.json");
    const std::string before = R"("arg": {"as_tensor": {"name": "getitem_4"}})";
    const auto place = model.find(before);
    QVERIFY(place != std::string::npos);
    model.replace(place, before.size(), R"("arg": {"as_tensor": {"name": "unbind_unused_1"}})");
    QVERIFY(test::zip(path, records));
    const auto program = read_pt2(path);
    QVERIFY2(program, program ? "" : program.error().message().c_str());
    const ProgramGraph& root = program->graphs.front();
    const NodeId made = root.graph.find("unbind_unused_1");
    QVERIFY(made != no_node);
    QCOMPARE(root.graph.node(root.graph.previous(made)).name, std::string("unbind"));
    QCOMPARE(root.graph.user_count(made), std::size_t{1});
}

void TestPt2Reader::namelessNodesAreNamedByTarget() {
    const QTemporaryDir folder;
    const std::string path = folder.filePath("nameless.pt2").toStdString();
    test::Records records = test::unzip(data + "results.pt2");
    std::string& model = *test::record(records, "models/model.json");
    auto json = nlohmann::ordered_json::parse(model);
    for (auto& node : json["graph_module"]["graph"]["nodes"]) node["name"] = nullptr;
    model = json.dump();
    QVERIFY(test::zip(path, records));
    const auto program = read_pt2(path);
    QVERIFY2(program, program ? "" : program.error().message().c_str());
    std::vector<std::string> names;
    const Graph& graph = program->graphs.front().graph;
    for (const NodeId id : graph) names.push_back(graph.node(id).name);
    // As torch.fx names them: by the function, made a name; nodes with one result by that.
    QCOMPARE(names, (std::vector<std::string>{"x",
                                              "image",
                                              "split_tensor",
                                              "getitem",
                                              "getitem_1",
                                              "unbind_int",
                                              "getitem_4",
                                              "max_dim",
                                              "getitem_7",
                                              "halves_default",
                                              "getitem_8",
                                              "getitem_9",
                                              "getitem_11",
                                              "halves_default_1",
                                              "getitem_12",
                                              "halves_default_2",
                                              "getitem_16",
                                              "getitem_17",
                                              "new_ones",
                                              "convolution_backward_default",
                                              "getitem_20",
                                              "add",
                                              "slice_1",
                                              "_foreach_add_list",
                                              "getitem_22",
                                              "getitem_23",
                                              "output"}));
}

void TestPt2Reader::reportsProgress() {
    std::vector<int> steps;
    ReadOptions options;
    options.progress = [&](int percent) { steps.push_back(percent); };
    QVERIFY(read_pt2(data + "dynamic.pt2", options));
    QVERIFY(std::is_sorted(steps.begin(), steps.end()));
    QCOMPARE(steps.back(), 100);
}

void TestPt2Reader::stopsWhenCancelled() {
    const std::atomic<bool> cancelled = true;
    ReadOptions options;
    options.cancelled = &cancelled;
    const auto program = read_pt2(data + "dynamic.pt2", options);
    QVERIFY(!program);
    QVERIFY(program.error().message().find("cancelled") != std::string::npos);
}

void TestPt2Reader::severalModels() {
    const Program program = read("several-models");
    std::vector<std::string> ids;
    for (const ProgramGraph& graph : program.graphs) ids.push_back(graph.id);
    QCOMPARE(ids, (std::vector<std::string>{"encoder", "decoder", "decoder.true_graph_0", "decoder.false_graph_0"}));
    QCOMPARE(graph_of(program, "decoder.true_graph_0")->parent, std::optional<std::size_t>(1));
    // Both have a weight of one name, in records of their own.
    const auto record_of = [&](const char* id) { return graph_of(program, id)->signature->inputs.front().record; };
    QCOMPARE(record_of("encoder"), std::string("data/weights/weight_0"));
    QCOMPARE(record_of("decoder"), std::string("data/weights/weight_2"));
}

QTEST_APPLESS_MAIN(TestPt2Reader)
#include "test_pt2_reader.moc"
