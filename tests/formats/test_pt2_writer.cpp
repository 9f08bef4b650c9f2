#include <QtTest>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <nlohmann/json.hpp>

#include "core/formats/pt2/custom_metadata.h"
#include "core/formats/pt2/writer.h"
#include "core/formats/reader.h"
#include "core/graph/symbolic_arithmetic.h"
#include "core/operators/operator_table.h"
#include "core/passes/reinplace/explain.h"
#include "core/passes/reinplace/symbolic_view.h"
#include "core/graph/print.h"
#include "tests/formats/zip_file.h"

using namespace inspector;

namespace {

const std::string data = TEST_DATA "/pt2/";
const std::string buffer_counter = TEST_DATA "/reference/buffer-counter/before.pt2";

std::string content_of(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
}

/// Records without the root folder and without the checksum of all, sorted.
test::Records records_of(const std::string& path) {
    test::Records records = test::unzip(path);
    for (auto& [name, content] : records) name.erase(0, name.find('/') + 1);
    std::erase_if(records, [](const auto& record) { return record.first == ".data/serialization_id"; });
    std::sort(records.begin(), records.end());
    return records;
}

std::uint32_t little_endian(const std::string& bytes, std::size_t place, int count) {
    std::uint32_t value = 0;
    for (int i = count; i-- > 0;)
        value = value << 8 | static_cast<unsigned char>(bytes[place + static_cast<std::size_t>(i)]);
    return value;
}

const Node& node_of(const Graph& graph, std::string_view name) { return graph.node(graph.find(name)); }

} // namespace

class TestPt2Writer : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void unchangedProgramsKeepEveryByte();
    void recordsAreStoredAndAligned();
    void mutationInPlaceOfTheInputItself();
    void insertedNodesAreDescribed();
    void erasedResultsBecomeUnused();
    void nestedGraphs();
    void oneOfSeveralModels();
    void errorsNameTheFileAtFault();
    void symbolicMetadata();
    void viewsOfSymbolicSizes();
    void brokenModuleCallsAreDropped();
    void argumentsInAnyOrder();
    void overwritesItsSource();
    void customMetadata_data();
    void customMetadata();
    void decisionsInTheMetadata();
    void refusals();
    void failureLeavesNothingBehind();

private:
    QTemporaryDir folder_;
    std::string out_ = folder_.filePath("out.pt2").toStdString();

    static Program read(const std::string& path) {
        auto program = read_pt2(path);
        if (!program) QTest::qFail(program.error().message().c_str(), __FILE__, __LINE__);
        return program ? std::move(*program) : Program{};
    }
    /// Writes `rewritten` in place of graph `index` and reads the file again.
    Program write_and_read(const std::string& source, const Program& program, std::size_t index,
                           const Graph& rewritten) {
        if (const auto written = write_pt2(source, program.graphs[index], rewritten, out_); !written)
            QTest::qFail(written.error().message().c_str(), __FILE__, __LINE__);
        return read(out_);
    }
};

void TestPt2Writer::unchangedProgramsKeepEveryByte() {
    std::vector<std::string> paths;
    for (const auto& file : std::filesystem::directory_iterator(data))
        if (file.path().extension() == ".pt2" && file.path().stem().string().find("old-layout") == std::string::npos)
            paths.push_back(file.path());
    for (const auto& folder : std::filesystem::directory_iterator(TEST_DATA "/reference"))
        if (const auto path = folder.path() / "before.pt2"; std::filesystem::exists(path)) paths.push_back(path);
    QVERIFY(paths.size() > 25);
    for (const std::string& path : paths) {
        const Program program = read(path);
        for (const ProgramGraph& graph : program.graphs) {
            const auto written = write_pt2(path, graph, graph.graph, out_);
            QVERIFY2(written, written ? "" : written.error().message().c_str());
            QVERIFY2(records_of(out_) == records_of(path), path.c_str());
        }
    }
}

void TestPt2Writer::recordsAreStoredAndAligned() {
    const std::string path = data + "inputs-functional.pt2";
    const Program program = read(path);
    QVERIFY(write_pt2(path, program.graphs.front(), program.graphs.front().graph, out_));
    const std::string bytes = content_of(out_);
    int headers = 0;
    for (auto place = bytes.find("PK\3\4"); place != std::string::npos; place = bytes.find("PK\3\4", place + 4)) {
        if (little_endian(bytes, place + 8, 2) != 0) continue; // deflated: a header within data/sample_inputs/model.pt
        const auto payload = place + 30 + little_endian(bytes, place + 26, 2) + little_endian(bytes, place + 28, 2);
        if (bytes.compare(place + 30, 8, "archive/") != 0 || bytes.compare(place + 38, 5, "data.") == 0) continue;
        if (bytes.compare(place + 38, 4, "data") == 0 || bytes.compare(place + 38, 6, "models") == 0) {
            QCOMPARE(payload % 64, std::size_t{0});
            ++headers;
        }
    }
    QVERIFY(headers >= 8);
}

void TestPt2Writer::mutationInPlaceOfTheInputItself() {
    const Program program = read(buffer_counter);
    Graph graph = program.graphs.front().graph;
    const NodeId add = graph.find("add");
    const NodeId buffer = graph.find("b_n");
    graph.set_target(add, "torch.ops.aten.add_.Tensor");
    for (const NodeId user : graph.users(add)) graph.replace_input(user, add, buffer);

    const Program again = write_and_read(buffer_counter, program, 0, graph);
    QCOMPARE(print_fx(again.graphs.front().graph), print_fx(graph));
    QCOMPARE(again.verifiers, std::vector<std::string>{"TRAINING"});
    const OutputSpec& mutation = again.graphs.front().signature->outputs.front();
    QCOMPARE(mutation.kind, OutputSpec::Kind::buffer_mutation);
    QCOMPARE(mutation.value, std::string("b_n"));
    QCOMPARE(mutation.target, std::string("n"));
    QCOMPARE(node_of(again.graphs.front().graph, "add").origin.stack_trace, node_of(graph, "add").origin.stack_trace);
}

void TestPt2Writer::insertedNodesAreDescribed() {
    const std::string path = data + "arguments.pt2";
    const Program program = read(path);
    Graph graph = program.graphs.front().graph;
    const NodeId x = graph.find("x");
    const auto insert = [&](std::string name, std::string target, std::vector<Argument> args,
                            std::vector<NamedArgument> kwargs, ValueMeta meta) {
        Node node;
        node.name = std::move(name);
        node.target = std::move(target);
        node.args = std::move(args);
        node.kwargs = std::move(kwargs);
        node.meta = std::move(meta);
        return graph.insert_before(graph.output(), std::move(node));
    };
    TensorMeta row;
    row.dtype = DType::f32;
    row.sizes = {4};
    row.strides = {{1}};
    row.storage_offset = 4;
    row.device = "cpu";
    row.requires_grad = false;
    const NodeId select = insert("select_int", "torch.ops.aten.select.int", {NodeReference{x}, 0, 1}, {}, row);
    TensorMeta whole = row;
    whole.sizes = {};
    whole.strides.emplace();
    whole.storage_offset = 0;
    insert("full_of_many", "torch.ops.aten.full.default", {ArgumentList{}, -std::numeric_limits<double>::infinity()},
           {{"dtype", DType::f32}, {"layout", Layout::strided}, {"device", DeviceName{"cpu"}}, {"pin_memory", false}},
           whole);
    const NodeId copy = insert("copy__default", "torch.ops.aten.copy_.default",
                               {NodeReference{select}, NodeReference{select}}, {}, row);
    insert("cat_1", "torch.ops.aten.cat.default",
           {ArgumentList{ArgumentList::Kind::list, {NodeReference{copy}, NodeReference{select}}}, 0}, {}, [&] {
               TensorMeta twice = row;
               twice.sizes = {8};
               twice.storage_offset = 0;
               return twice;
           }());
    insert("index_1", "torch.ops.aten.index.Tensor",
           {NodeReference{x}, ArgumentList{ArgumentList::Kind::list, {None{}, NodeReference{select}}}}, {}, row);

    const Program again = write_and_read(path, program, 0, graph);
    const Graph& result = again.graphs.front().graph;
    QCOMPARE(print_fx(result), print_fx(graph));
    for (const char* name : {"select_int", "full_of_many", "copy__default", "cat_1", "index_1"})
        QVERIFY(node_of(result, name).meta == node_of(graph, name).meta);
}

void TestPt2Writer::erasedResultsBecomeUnused() {
    const std::string path = data + "results.pt2";
    const Program program = read(path);
    Graph graph = program.graphs.front().graph;
    for (const auto& [erased, instead] : {std::pair{"getitem_7", "new_ones"}, std::pair{"getitem_17", "add"}}) {
        graph.replace_input(graph.output(), graph.find(erased), graph.find(instead));
        graph.erase(graph.find(erased));
    }
    graph.erase(graph.find("getitem_16"));

    const Program again = write_and_read(path, program, 0, graph);
    const Graph& result = again.graphs.front().graph;
    QCOMPARE(print_fx(result), print_fx(graph));
    const auto& maximum = std::get<ListMeta>(node_of(result, "max_1").meta);
    QCOMPARE(maximum.names[1], std::string("max_1_unused_1"));
    QVERIFY(maximum.items[1] == std::get<ListMeta>(node_of(graph, "max_1").meta).items[1]);
    QCOMPARE(again.graphs.front().signature->outputs[1].value, std::string("new_ones"));
    QCOMPARE(again.graphs.front().signature->outputs[5].value, std::string("add"));
    QCOMPARE(again.verifiers, program.verifiers);
}

void TestPt2Writer::nestedGraphs() {
    const std::string path = data + "control-flow.pt2";
    const Program program = read(path);
    for (std::size_t i = 1; i < program.graphs.size(); ++i) {
        Graph graph = program.graphs[i].graph;
        NodeId changed = graph.previous(graph.output());
        while (graph.node(changed).target == "operator.getitem") changed = graph.previous(changed);
        if (graph.node(changed).target == "torch.ops.higher_order.cond") changed = graph.find("gt");
        graph.set_target(changed, "torch.ops.aten.neg_.default");
        graph.set_arguments(changed, {graph.node(changed).args.front()}, {});
        const Program again = write_and_read(path, program, i, graph);
        QCOMPARE(again.verifiers, std::vector<std::string>{"TRAINING"});
        QCOMPARE(again.graphs.size(), program.graphs.size());
        for (std::size_t j = 0; j < again.graphs.size(); ++j)
            QCOMPARE(print_fx(again.graphs[j].graph), print_fx(i == j ? graph : program.graphs[j].graph));
    }
}

void TestPt2Writer::oneOfSeveralModels() {
    const std::string path = data + "several-models.pt2";
    const Program program = read(path);
    for (std::size_t i = 0; i < program.graphs.size(); ++i) {
        Graph graph = program.graphs[i].graph;
        NodeId changed = graph.previous(graph.output());
        graph.set_target(changed, "torch.ops.aten.neg_.default");
        graph.set_arguments(changed, {graph.node(changed).args.front()}, {});
        const Program again = write_and_read(path, program, i, graph);
        QCOMPARE(again.graphs.size(), program.graphs.size());
        for (std::size_t j = 0; j < again.graphs.size(); ++j)
            QCOMPARE(print_fx(again.graphs[j].graph), print_fx(i == j ? graph : program.graphs[j].graph));
    }
}

void TestPt2Writer::errorsNameTheFileAtFault() {
    const std::string path = data + "several-models.pt2";
    const Program program = read(path);
    const auto full = write_pt2(path, program.graphs.front(), program.graphs.front().graph, "/dev/full");
    QVERIFY(!full);
    QCOMPARE(full.error().message(), std::string("/dev/full: cannot write: No space left on device"));
    const auto nowhere = write_pt2(path, program.graphs.front(), program.graphs.front().graph, "/nowhere/a.pt2");
    QVERIFY(!nowhere);
    QCOMPARE(nowhere.error().message(), std::string("/nowhere/a.pt2: cannot write: No such file or directory"));
    const auto gone = write_pt2(data + "missing.pt2", program.graphs.front(), program.graphs.front().graph, out_);
    QVERIFY(!gone);
    QCOMPARE(gone.error().message(), data + "missing.pt2: there is no such file");
}

void TestPt2Writer::symbolicMetadata() {
    const std::string path = data + "dynamic.pt2";
    const Program program = read(path);
    Graph graph = program.graphs.front().graph;
    Node clone;
    clone.name = "clone_1";
    clone.target = "torch.ops.aten.clone.default";
    clone.args = {NodeReference{graph.find("x")}};
    clone.meta = node_of(graph, "x").meta;
    auto& meta = std::get<TensorMeta>(clone.meta);
    const std::string rows = meta.sizes[0].to_string();
    // An expression the file does not have.
    const auto product = SymbolicSize::parse_srepr(
        "Max(Integer(5), Add(Integer(1), Mul(Integer(3), Symbol('" + rows + "', positive=True, integer=True))))", 19);
    QVERIFY(product);
    meta.sizes[0] = *product;
    graph.insert_before(graph.output(), clone);
    Node size;
    size.name = "sym_size_int_77";
    size.target = "torch.ops.aten.sym_size.int";
    size.args = {NodeReference{graph.find("x")}, 0};
    size.meta = node_of(graph, "sym_size_int_8").meta;
    const NodeId number = graph.insert_before(graph.output(), size);
    Node product_node;
    product_node.name = "mul_77";
    product_node.target = "operator.mul";
    product_node.args = {NodeReference{number}, 2};
    product_node.meta = ScalarMeta{ScalarMeta::Kind::integer, 12};
    graph.insert_before(graph.output(), product_node);

    const Program again = write_and_read(path, program, 0, graph);
    const Graph& result = again.graphs.front().graph;
    QCOMPARE(print_fx(result), print_fx(graph));
    const auto& written = std::get<TensorMeta>(node_of(result, "clone_1").meta);
    QCOMPARE(written.sizes[0].to_string(), product->to_string());
    QCOMPARE(written.sizes[0].hint(), std::optional<std::int64_t>(19));
    QVERIFY(written.sizes[1] == meta.sizes[1]);
    QVERIFY(node_of(result, "sym_size_int_77").meta == size.meta);
    QVERIFY(node_of(result, "mul_77").meta == product_node.meta);
}

void TestPt2Writer::viewsOfSymbolicSizes() {
    // Scatters into x, of [rows, columns]: the pass makes each a view of it and a copy_.
    const std::string path = data + "dynamic.pt2";
    const Program program = read(path);
    ProgramGraph source = program.graphs.front();
    const TensorMeta x = std::get<TensorMeta>(node_of(source.graph, "x").meta);
    QVERIFY(!x.sizes[0].is_constant() && !x.sizes[1].is_constant() && x.strides && x.storage_offset);
    const std::string columns = x.sizes[1].to_string();
    const auto view_of = [&](const char* name, const char* scatter, std::vector<SymbolicSize> sizes,
                             std::vector<Argument> arguments) -> std::optional<TensorMeta> {
        Graph graph = source.graph;
        TensorMeta written = x;
        written.sizes = std::move(sizes);
        Node value;
        value.name = "written";
        value.target = "torch.ops.aten.empty.memory_format";
        value.meta = written;
        const NodeId from = graph.insert_before(graph.output(), value);
        Node node;
        node.name = "scatter";
        node.target = scatter;
        node.args = {NodeReference{graph.find("x")}, NodeReference{from}};
        node.args.insert(node.args.end(), arguments.begin(), arguments.end());
        node.meta = x;
        return symbolic_view_meta(graph, node, *OperatorTable::instance().find(name), graph.find("x"), x);
    };
    const auto select = view_of("aten.select.int", "torch.ops.aten.select_scatter.default", {x.sizes[1]}, {0, -1});
    QVERIFY(select);
    QVERIFY(*select->strides == std::vector<SymbolicSize>{1});
    QCOMPARE(select->storage_offset->to_string(), product(sum(x.sizes[0], -1).value(), x.sizes[1])->to_string());
    QCOMPARE(select->storage_offset->hint(), std::optional((*x.sizes[0].hint() - 1) * *x.sizes[1].hint()));
    const auto slice = view_of("aten.slice.Tensor", "torch.ops.aten.slice_scatter.default", {1, x.sizes[1]}, {0, 1, 3, 2});
    QVERIFY(slice);
    QCOMPARE(slice->storage_offset->to_string(), columns);
    QCOMPARE((*slice->strides)[0].to_string(), "2*" + columns);
    const auto diagonal = view_of("aten.diagonal.default", "torch.ops.aten.diagonal_scatter.default", {x.sizes[0]}, {});
    QVERIFY(diagonal);
    QCOMPARE((*diagonal->strides)[0].to_string(), columns + " + 1");
    // Where a symbol without sample value starts is not known.
    QVERIFY(!view_of("aten.slice.Tensor", "torch.ops.aten.slice_scatter.default", {1, x.sizes[1]},
                     {0, SymbolicSize::parse("u7").value()}));

    Graph graph = source.graph;
    Node view;
    view.name = "select_77";
    view.target = "torch.ops.aten.select.int";
    view.args = {NodeReference{graph.find("x")}, 0, -1};
    view.meta = *select;
    graph.insert_before(graph.output(), view);
    const Program again = write_and_read(path, program, 0, graph);
    const auto& written = std::get<TensorMeta>(node_of(again.graphs.front().graph, "select_77").meta);
    QVERIFY(written.sizes == select->sizes && written.strides == select->strides);
    QCOMPARE(written.storage_offset->to_string(), select->storage_offset->to_string());
}

void TestPt2Writer::brokenModuleCallsAreDropped() {
    const std::string path = data + "inputs-training.pt2";
    const Program program = read(path);
    Graph graph = program.graphs.front().graph;
    const NodeId erased = graph.find("mul_");
    for (const NodeId user : graph.users(erased)) graph.replace_input(user, erased, graph.find("x"));
    graph.erase(erased);
    const Program again = write_and_read(path, program, 0, graph);
    QCOMPARE(print_fx(again.graphs.front().graph), print_fx(graph));
    const auto& calls = again.graphs.front().module_calls;
    QCOMPARE(calls.size(), program.graphs.front().module_calls.size());
    QCOMPARE(calls[1].module, std::string("linear"));
    QVERIFY(calls[1].inputs.empty());
}

void TestPt2Writer::argumentsInAnyOrder() {
    // What another writer may do: a keyword before the arguments by position.
    const std::string source = folder_.filePath("reordered.pt2").toStdString();
    test::Records records = test::unzip(buffer_counter);
    std::string& model = *test::record(records, "models/model.json");
    const std::string by_position = R"("inputs": [{"name": "self", "arg": {"as_tensor": {"name": "b_n"}}, "kind": 1}, )";
    const auto place = model.find(by_position);
    QVERIFY(place != std::string::npos);
    model.replace(place, by_position.size(),
                  R"("inputs": [{"name": "alpha", "arg": {"as_int": 7}, "kind": 2}, )" + by_position.substr(11));
    QVERIFY(test::zip(source, records));

    const Program program = read(source);
    Graph graph = program.graphs.front().graph;
    const NodeId add = graph.find("add");
    QCOMPARE(print_fx_node(graph, add), std::string("%add : [num_users=2] = call_function[target=torch.ops.aten.add.Tensor]"
                                                    "(args = (%b_n, 1), kwargs = {alpha: 7})"));
    graph.set_target(add, "torch.ops.aten.add_.Tensor");
    const Program again = write_and_read(source, program, 0, graph);
    QCOMPARE(print_fx(again.graphs.front().graph), print_fx(graph));
}

void TestPt2Writer::overwritesItsSource() {
    const std::string path = folder_.filePath("own.pt2").toStdString();
    std::filesystem::copy_file(buffer_counter, path);
    const Program program = read(path);
    Graph graph = program.graphs.front().graph;
    graph.set_target(graph.find("mul"), "torch.ops.aten.mul_.Tensor");
    QVERIFY(write_pt2(path, program.graphs.front(), graph, path));
    QCOMPARE(print_fx(read(path).graphs.front().graph), print_fx(graph));
}

void TestPt2Writer::customMetadata_data() {
    QTest::addColumn<std::string>("owner");
    QTest::addColumn<std::string>("expected");
    const auto add = [](const char* name, const char* owner, const char* expected) {
        QTest::newRow(name) << std::string(owner) << std::string(expected);
    };
    add("no metadata", "{}", R"({"metadata": {"custom": "{\"reinplace\": {\"root\": {\"index\": 7}}}"}})");
    add("no custom", R"({"metadata": {"a": "b"}})",
        R"({"metadata": {"a": "b", "custom": "{\"reinplace\": {\"root\": {\"index\": 7}}}"}})");
    add("another tool's", R"({"metadata": {"custom": "{\"region\": [1.50, null]}"}})",
        R"({"metadata": {"custom": "{\"region\": [1.50, null], \"reinplace\": {\"root\": {\"index\": 7}}}"}})");
    add("an older one", R"({"metadata": {"custom": "{\"reinplace\": {\"root\": 1, \"other\": 2}}"}})",
        R"({"metadata": {"custom": "{\"reinplace\": {\"root\": {\"index\": 7}, \"other\": 2}}"}})");
    add("empty", R"({"metadata": {"custom": ""}})", R"({"metadata": {"custom": "{\"reinplace\": {\"root\": {\"index\": 7}}}"}})");
    add("no text", R"({"metadata": {"custom": 1}})", "metadata \"custom\"");
    add("no JSON", R"({"metadata": {"custom": "{"}})", "metadata \"custom\", byte 2");
    add("no object", R"({"metadata": {"custom": "[]"}})", "metadata \"custom\"");
    add("no object within", R"({"metadata": {"custom": "{\"reinplace\": 1}"}})", "metadata \"custom\"");
}

void TestPt2Writer::customMetadata() {
    QFETCH(std::string, owner);
    QFETCH(std::string, expected);
    pt2::Json json = pt2::parse_json(owner, {});
    try {
        pt2::set_custom(json, {"reinplace", "root"}, R"({"index": 7})");
        QCOMPARE(pt2::format_json(json), expected);
        // Taken away again, what other tools say stays.
        pt2::drop_custom(json, {"reinplace", "root"});
        const std::string rest = pt2::format_json(json);
        QVERIFY2(rest.find("index") == std::string::npos, rest.c_str());
        QCOMPARE(rest.find("region") == std::string::npos, owner.find("region") == std::string::npos);
        QCOMPARE(rest.find("other") == std::string::npos, owner.find("other") == std::string::npos);
        QCOMPARE(rest.find("custom") == std::string::npos, rest.find("region") == std::string::npos && rest.find("other") == std::string::npos);
    } catch (const pt2::Malformed& error) {
        QCOMPARE(error.place, expected);
        QCOMPARE(pt2::format_json(json), pt2::format_json(pt2::parse_json(owner, {})));
    }
}

void TestPt2Writer::decisionsInTheMetadata() {
    const Program program = read(buffer_counter);
    const auto session = ReinplaceSession::start(program.graphs.front(), {.policy = "sound", .first = {}, .choices = {}, .donated = {}});
    QVERIFY(session);
    (*session)->run_to_end();
    const DecisionRecords records = decision_records(**session);
    QVERIFY(write_pt2(buffer_counter, program.graphs.front(), (*session)->graph(), out_, records));
    const Program again = read(out_);
    const Graph& graph = again.graphs.front().graph;
    QCOMPARE(print_fx(graph), print_fx((*session)->graph()));

    std::size_t in_nodes = 0;
    for (const NodeId id : graph)
        for (const auto& [key, value] : graph.node(id).origin.properties) {
            if (key != "custom") continue;
            const auto decision = nlohmann::json::parse(value).at("reinplace");
            const Decision& made = (*session)->decisions().at(decision.at("index").get<std::size_t>());
            QCOMPARE(decision.at("node").get<std::string>(), graph.node(id).name);
            QCOMPARE(decision.at("verdict").get<std::string>(), std::string(text_id(made.verdict)));
            QCOMPARE(decision.at("sentence").get<std::string>(), plain_text(explain(**session, made)));
            ++in_nodes;
        }
    QVERIFY(in_nodes > 0);
    const auto whole = nlohmann::json::parse(records.graph);
    QCOMPARE(whole.at("policy").get<std::string>(), std::string("sound"));
    QCOMPARE(in_nodes + whole.at("removed").size(), (*session)->decisions().size());

    // Written once more as it is the file says the same.
    const std::string bytes = content_of(out_);
    QVERIFY(write_pt2(out_, again.graphs.front(), graph, out_));
    QCOMPARE(content_of(out_), bytes);

    // What was decided holds no more once the graph is another.
    Graph other = graph;
    other.set_target(other.find("mul"), "torch.ops.aten.mul.Tensor");
    if (print_fx(other) == print_fx(graph)) other.set_target(other.find("mul"), "torch.ops.aten.mul_.Tensor");
    QVERIFY(write_pt2(out_, again.graphs.front(), other, out_));
    for (const auto& [name, content] : test::unzip(out_)) QVERIFY2(content.find("reinplace") == std::string::npos, name.c_str());
}

void TestPt2Writer::refusals() {
    std::filesystem::remove(out_);
    const Program program = read(buffer_counter);
    const ProgramGraph& root = program.graphs.front();
    const auto refusal = [&](const std::string& source, const ProgramGraph& original, const Graph& rewritten) {
        const auto written = write_pt2(source, original, rewritten, out_);
        return written ? std::string("written") : written.error().message();
    };
    const std::string model = ": models/model.json, ";

    const std::string other = data + "voids.pt2";
    QCOMPARE(refusal(other, root, root.graph),
             other + model + "node 0: is not 'add' of the graph: the file is another than was read");

    const std::string old = data + "old-layout.pt2";
    QVERIFY(refusal(old, read(old).graphs.front(), read(old).graphs.front().graph)
                .starts_with(old + ": has the layout from before torch 2.8"));

    Graph graph = root.graph;
    Node unknown;
    unknown.name = "unknown";
    unknown.target = "torch.ops.aten.relu.default";
    unknown.args = {NodeReference{graph.find("x")}};
    graph.insert_before(graph.output(), unknown);
    QCOMPARE(refusal(buffer_counter, root, graph),
             buffer_counter + model + "node 'unknown': nothing is known of its result, which the file must describe");

    graph = root.graph;
    graph.set_arguments(graph.find("mul"), {NodeReference{graph.find("x")}, OpaqueText{"Ellipsis"}}, {});
    QCOMPARE(refusal(buffer_counter, root, graph),
             buffer_counter + model + "node 'mul': this kind of argument cannot be written");

    graph = root.graph;
    graph.set_target(graph.find("mul"), "torch.ops.nobody.knows.default");
    graph.set_arguments(graph.find("mul"), {NodeReference{graph.find("x")}, 1, 2}, {});
    QCOMPARE(
        refusal(buffer_counter, root, graph),
        buffer_counter + model +
            "node 'mul': the operator torch.ops.nobody.knows.default is unknown, so its arguments cannot be named");

    graph = root.graph;
    graph.set_arguments(graph.output(), {ArgumentList{ArgumentList::Kind::tuple, {NodeReference{graph.find("add")}}}},
                        {});
    QCOMPARE(refusal(buffer_counter, root, graph),
             buffer_counter + model + "outputs: their number has changed, which cannot be written");

    graph = root.graph;
    graph.set_name(graph.find("x"), "y");
    QCOMPARE(refusal(buffer_counter, root, graph),
             buffer_counter + ": models/model.json: the inputs have changed, which cannot be written");
    QVERIFY(!std::filesystem::exists(out_));
}

void TestPt2Writer::failureLeavesNothingBehind() {
    const Program program = read(buffer_counter);
    const ProgramGraph& root = program.graphs.front();
    const std::string nowhere = folder_.filePath("none/out.pt2").toStdString();
    QCOMPARE(write_pt2(buffer_counter, root, root.graph, nowhere).error().file, nowhere);

    // LibTorch's writer goes on after a full disk as if nothing were.
    const auto full = write_pt2(buffer_counter, root, root.graph, "/dev/full");
    QVERIFY(!full && full.error().file == "/dev/full");
    QVERIFY2(full.error().reason.find("No space left on device") != std::string::npos, full.error().message().c_str());

    // A weight that is damaged is met while writing.
    const std::string damaged = folder_.filePath("damaged.pt2").toStdString();
    const QTemporaryDir empty;
    std::string bytes = content_of(data + "inputs-functional.pt2");
    const test::Records records = test::unzip(data + "inputs-functional.pt2");
    const auto weight = bytes.find(records.front().second);
    QVERIFY(records.front().first.ends_with("data/weights/weight_0") && weight != std::string::npos);
    bytes[weight] = static_cast<char>(~bytes[weight]);
    QVERIFY(test::write_anew(damaged, bytes));
    const Program readable = read(damaged);
    const auto written = write_pt2(damaged, readable.graphs.front(), readable.graphs.front().graph,
                                   empty.filePath("out.pt2").toStdString());
    QVERIFY(!written);
    QVERIFY2(written.error().message().starts_with(damaged + ": data/weights/weight_0: is damaged"),
             written.error().message().c_str());
    QVERIFY(std::filesystem::is_empty(empty.path().toStdString()));
}

QTEST_APPLESS_MAIN(TestPt2Writer)
#include "test_pt2_writer.moc"
