#include <QtTest>

#include <limits>

#include "core/formats/python/python_module.h"
#include "core/formats/reader.h"
#include "tests/golden.h"

using namespace inspector;

class TestPythonModule : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyKindOfArgument();
    void nestedGraphsAreFunctions();
    void weightsAreRead();
    void hostileNamesStayNames();
    void whatCannotBeCalledIsRefused_data();
    void whatCannotBeCalledIsRefused();
};

namespace {

NodeId append(Graph& graph, Opcode opcode, std::string name, std::string target, std::vector<Argument> args,
              std::vector<NamedArgument> kwargs = {}) {
    Node node;
    node.opcode = opcode;
    node.name = std::move(name);
    node.target = std::move(target);
    node.args = std::move(args);
    node.kwargs = std::move(kwargs);
    return graph.append(std::move(node));
}

Program program_of(Graph graph) {
    Program program;
    program.path = "model.txt";
    program.graphs.emplace_back();
    program.graphs[0].id = "root";
    program.graphs[0].graph = std::move(graph);
    return program;
}

ArgumentList list(ArgumentList::Kind kind, std::vector<Argument> items) { return {kind, std::move(items)}; }

Program arguments_program() {
    using Kind = ArgumentList::Kind;
    Graph graph;
    const NodeId x = append(graph, Opcode::placeholder, "x", "x", {});
    graph.set_meta(x, TensorMeta{.dtype = DType::f32, .sizes = {2, 4}, .strides = {{4, 1}}, .storage_offset = 0, .device = "cpu",
                                 .layout = Layout::strided, .requires_grad = false, .class_name = {}, .class_detail = {}});
    const NodeId n = append(graph, Opcode::placeholder, "n", "n", {});
    append(graph, Opcode::placeholder, "scale", "scale", {2.5});
    const NodeId w = append(graph, Opcode::get_attr, "w", "layer.w", {});
    const NodeId full = append(graph, Opcode::call_function, "full", "torch.ops.aten.full.default",
                               {list(Kind::list, {NodeReference{n}, 4}), -std::numeric_limits<double>::infinity()},
                               {{"dtype", DType::f32}, {"device", DeviceName{"cpu"}}, {"pin_memory", false}});
    const NodeId product = append(graph, Opcode::call_function, "mul", "operator.mul", {NodeReference{n}, 2});
    const NodeId split = append(graph, Opcode::call_function, "split", "torch.ops.aten.split.Tensor", {NodeReference{x}, 2, 1});
    const NodeId item = append(graph, Opcode::call_function, "getitem", "operator.getitem", {NodeReference{split}, 1});
    const NodeId clone = append(graph, Opcode::call_function, "clone", "torch.ops.aten.clone.default", {NodeReference{item}},
                                {{"memory_format", MemoryFormat::contiguous}});
    append(graph, Opcode::call_function, "random_", "torch.ops.aten.random_.from", {NodeReference{clone}},
           {{"from", 0}, {"to", 8}});
    append(graph, Opcode::call_function, "setitem", "operator.setitem",
           {NodeReference{clone}, list(Kind::tuple, {OpaqueText{"Ellipsis"}, list(Kind::slice, {None{}, 2, None{}})}), 1.0});
    const NodeId einsum = append(graph, Opcode::call_function, "einsum", "torch.ops.aten.einsum.default",
                                 {std::string("ij,kj->ik"), list(Kind::list, {NodeReference{clone}, NodeReference{item}})});
    append(graph, Opcode::output, "output", "output",
           {list(Kind::tuple, {NodeReference{einsum}, NodeReference{full}, NodeReference{product}, NodeReference{w}, None{}})});
    return program_of(std::move(graph));
}

Program nested_program() {
    Graph root;
    const NodeId p = append(root, Opcode::placeholder, "p", "p", {});
    const NodeId x = append(root, Opcode::placeholder, "x", "x", {});
    const NodeId yes = append(root, Opcode::get_attr, "true_graph_0", "true_graph_0", {});
    const NodeId no = append(root, Opcode::get_attr, "false_graph_0", "false_graph_0", {});
    const NodeId cond = append(root, Opcode::call_function, "cond", "torch.ops.higher_order.cond",
                               {NodeReference{p}, NodeReference{yes}, NodeReference{no},
                                list(ArgumentList::Kind::tuple, {NodeReference{x}})});
    const NodeId item = append(root, Opcode::call_function, "getitem", "operator.getitem", {NodeReference{cond}, 0});
    append(root, Opcode::output, "output", "output", {list(ArgumentList::Kind::tuple, {NodeReference{item}})});
    Program program = program_of(std::move(root));
    for (const char* name : {"true_graph_0", "false_graph_0"}) {
        Graph nested;
        const NodeId arg = append(nested, Opcode::placeholder, "arg0_1", "arg0_1", {});
        const NodeId sum = append(nested, Opcode::call_function, "add",
                                  name[0] == 't' ? "torch.ops.aten.add.Tensor" : "torch.ops.aten.sub.Tensor",
                                  {NodeReference{arg}, 1});
        append(nested, Opcode::output, "output", "output", {list(ArgumentList::Kind::tuple, {NodeReference{sum}})});
        ProgramGraph& graph = program.graphs.emplace_back();
        graph.id = graph.attribute = name;
        graph.kind = "subgraph";
        graph.parent = 0;
        graph.graph = std::move(nested);
    }
    return program;
}

Program weights_program(bool is_pickled) {
    Graph graph;
    const NodeId w = append(graph, Opcode::placeholder, "p_w", "p_w", {});
    const NodeId t = append(graph, Opcode::placeholder, "p_t", "p_t", {});
    const NodeId x = append(graph, Opcode::placeholder, "x", "x", {});
    const NodeId mm = append(graph, Opcode::call_function, "addmm", "torch.ops.aten.addmm.default",
                             {NodeReference{t}, NodeReference{x}, NodeReference{w}});
    append(graph, Opcode::output, "output", "output", {list(ArgumentList::Kind::tuple, {NodeReference{mm}})});
    Program program = program_of(std::move(graph));
    TensorMeta meta;
    meta.sizes = {2, 3};
    meta.strides = {{3, 1}};
    meta.storage_offset = 0;
    program.tensors.push_back({.name = "w", .record = "data/weights/weight_0", .is_parameter = true, .is_pickled = false, .meta = meta});
    meta.sizes = {3};
    meta.strides = {{1}};
    meta.storage_offset = 3;
    program.tensors.push_back({.name = "t", .record = "data/weights/weight_0", .is_parameter = true, .is_pickled = is_pickled, .meta = meta});
    using Kind = InputSpec::Kind;
    program.graphs[0].signature = Signature{{{Kind::parameter, "p_w", "w", {}}, {Kind::parameter, "p_t", "t", {}}, {Kind::user_input, "x", "", {}}}, {}};
    return program;
}

/// Names that are Python, or try to be.
Program hostile_program() {
    Graph graph;
    const NodeId a = append(graph, Opcode::placeholder, "lambda", "lambda", {});
    const NodeId b = append(graph, Opcode::placeholder, "torch", "torch", {});
    const NodeId c = append(graph, Opcode::placeholder, "x):\n    import os; os.system('true')\n#", "x", {});
    const NodeId d = append(graph, Opcode::placeholder, "lambda_", "lambda_", {});
    const NodeId w = append(graph, Opcode::get_attr, "slice", "w\"]; import os #\n", {});
    const NodeId sum = append(graph, Opcode::call_function, "forward", "torch.ops.aten.cat.default",
                              {list(ArgumentList::Kind::list, {NodeReference{a}, NodeReference{b}, NodeReference{c}, NodeReference{d},
                                                               NodeReference{w}})},
                              {{"dim\"", std::string("\"\"\"\n\\")}});
    append(graph, Opcode::output, "output", "output", {NodeReference{sum}});
    Program program = program_of(std::move(graph));
    program.path = "evil\n\"name\xFF.txt";
    program.graphs[0].id = "root\nimport os";
    return program;
}

std::string printed(const Program& program) {
    const auto text = print_python_module(program, 0, program.graphs[0].graph, "/models/model.pt2");
    return text ? *text : "error: " + text.error().message();
}

} // namespace

void TestPythonModule::everyKindOfArgument() { COMPARE_GOLDEN("formats/arguments.py", printed(arguments_program())); }

void TestPythonModule::nestedGraphsAreFunctions() { COMPARE_GOLDEN("formats/nested.py", printed(nested_program())); }

void TestPythonModule::weightsAreRead() {
    COMPARE_GOLDEN("formats/weights.py", printed(weights_program(false)));
    const QString unreadable = QString::fromStdString(printed(weights_program(true)));
    QVERIFY2(unreadable.contains("raise NotImplementedError(\"the file keeps these in a form that is not read here: t\")"),
             qPrintable(unreadable));
}

void TestPythonModule::hostileNamesStayNames() { COMPARE_GOLDEN("formats/hostile.py", printed(hostile_program())); }

void TestPythonModule::whatCannotBeCalledIsRefused_data() {
    QTest::addColumn<int>("opcode");
    QTest::addColumn<QString>("target");
    QTest::addColumn<QString>("reason");
    const auto row = [](Opcode opcode, const char* target, const char* reason) {
        QTest::newRow(target) << static_cast<int>(opcode) << QString::fromUtf8(target) << QString::fromUtf8(reason);
    };
    row(Opcode::call_function, "torch.os.system", "the target torch.os.system is not among those a written module may call");
    row(Opcode::call_function, "torch.ops.aten.add.Tensor(x)\nimport os", "the target torch.ops.aten.add.Tensor(x)\xEF\xBF\xBDimport os is not");
    row(Opcode::call_method, "numpy().tofile", "the method numpy().tofile is none of a tensor's");
}

void TestPythonModule::whatCannotBeCalledIsRefused() {
    QFETCH(int, opcode);
    QFETCH(QString, target);
    QFETCH(QString, reason);
    Graph graph;
    const NodeId x = append(graph, Opcode::placeholder, "x", "x", {});
    append(graph, static_cast<Opcode>(opcode), "bad", target.toStdString(), {NodeReference{x}});
    const Program program = program_of(std::move(graph));
    const auto text = print_python_module(program, 0, program.graphs[0].graph, "");
    QVERIFY(!text);
    const QString message = QString::fromStdString(text.error().message());
    QVERIFY2(message.startsWith("model.txt: %bad: " + reason), qPrintable(message));
}

QTEST_APPLESS_MAIN(TestPythonModule)
#include "test_python_module.moc"
