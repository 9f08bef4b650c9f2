// FX text forms (a) to (d): what is read prints as the same text again, and one graph reads the same from every form.
#include <QDir>
#include <QtTest>


#include "core/formats/reader.h"
#include "core/graph/print.h"
#include "core/graph/verify.h"
#include "sample_file.h"

using namespace inspector;

namespace {

QString lines_sorted(const std::string& text) {
    QStringList lines = QString::fromStdString(text).trimmed().split('\n');
    lines.sort();
    return lines.join('\n');
}

QString trimmed(const std::string& text) { return QString::fromStdString(text).trimmed(); }

const Node& node(const Graph& graph, std::string_view name) { return graph.node(graph.find(name)); }

std::string meta_text(const Graph& graph, std::string_view name) {
    return annotation(node(graph, name).meta, ReadableOptions{});
}

} // namespace

class TestFxText : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyFormGivesTheSameGraph_data();
    void everyFormGivesTheSameGraph();
    void readableTextPrintsBack_data();
    void readableTextPrintsBack();
    void referenceCasesPrintBack();
    void exportedProgramHasItsSignature();
    void mutatedInputsAndConstantOutputs();
    void nestedGraphs();
    void annotations_data();
    void annotations();
    void argumentsHaveTypes();
    void unquotedStrings_data();
    void unquotedStrings();
    void originsFollowComments();
    void severalGraphs();
    void inputsOfAReproScript();
    void everyKindOfReproInput();
    void operatorsAreValues();
    void signatureOfAnOldRelease();
    void wrongUserCountsAreNoted();
    void objectsOfNodesBecomeTuples();
    void aHundredThousandNodes_data();
    void aHundredThousandNodes();
};

void TestFxText::everyFormGivesTheSameGraph_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("expected");
    QTest::addColumn<bool>("inOrder");
    for (const char* name : {"arguments", "unusual", "branches"})
        for (const char* form : {"fx", "code", "readable"})
            QTest::addRow("%s.%s", name, form)
                << QString("%1.%2.txt").arg(name, form) << QString("%1.fx.txt").arg(name) << true;
    QTest::newRow("one argument per line") << "arguments.expanded.txt" << "arguments.fx.txt" << true;
    QTest::newRow("boxed inputs") << "boxed.code.txt" << "boxed.fx.txt" << true;
    QTest::newRow("exported program") << "exported.ep.txt" << "exported.fx.txt" << true;
    QTest::newRow("functional program") << "functional.ep.txt" << "functional.fx.txt" << true;
    // Code puts placeholders first, where the graph has attributes before them.
    QTest::newRow("flattened inputs, code") << "unflattened.code.txt" << "unflattened.fx.txt" << false;
    QTest::newRow("flattened inputs, readable") << "unflattened.readable.txt" << "unflattened.fx.txt" << false;
    for (const char* form : {"print_readable", "ep", "graph"})
        QTest::addRow("decoder layer, %s", form)
            << QString("decoder_layer_%1.txt").arg(form) << "decoder_layer_graph.txt" << true;
}

void TestFxText::everyFormGivesTheSameGraph() {
    QFETCH(QString, file);
    QFETCH(QString, expected);
    QFETCH(bool, inOrder);
    const auto program = read_fx_text(sample_text("fx_text/" + file));
    QVERIFY2(program, program ? "" : program.error().message().c_str());
    QCOMPARE(program->graphs.front().id, "root");
    QVERIFY(program->notes.empty());
    const std::string printed = print_fx(program->graphs.front().graph);
    const std::string text = sample_text("fx_text/" + expected);
    if (inOrder) QCOMPARE(trimmed(printed), trimmed(text));
    else QCOMPARE(lines_sorted(printed), lines_sorted(text));
}

void TestFxText::readableTextPrintsBack_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<bool>("layouts");
    QTest::newRow("arguments") << "arguments.readable.txt" << true;
    QTest::newRow("unusual arguments") << "unusual.readable.txt" << true;
    QTest::newRow("branches") << "branches.readable.txt" << true;
    QTest::newRow("comments") << "commented.readable.txt" << true;
    QTest::newRow("decoder layer") << "decoder_layer_print_readable.txt" << true;
}

void TestFxText::readableTextPrintsBack() {
    QFETCH(QString, file);
    QFETCH(bool, layouts);
    const std::string text = sample_text("fx_text/" + file);
    const auto program = read_fx_text(text);
    QVERIFY2(program, program ? "" : program.error().message().c_str());
    ReadableOptions options;
    options.class_name = program->graphs.front().title;
    options.strides = options.device = layouts;
    QCOMPARE(trimmed(print_readable(*program, 0, options)), trimmed(text));
}

void TestFxText::referenceCasesPrintBack() {
    int cases = 0;
    const QDir reference(QStringLiteral(TEST_DATA "/reference"));
    for (const QString& name : reference.entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
        const std::string before = sample_text("reference/" + name + "/before.py.txt");
        const std::string after = sample_text("reference/" + name + "/after.fx.txt");
        if (!before.empty()) {
            const auto program = read_fx_text(before);
            QVERIFY2(program, qPrintable(name));
            ReadableOptions options;
            options.class_name = program->graphs.front().title;
            QCOMPARE(trimmed(print_readable(*program, 0, options)), trimmed(before));
            ++cases;
        }
        if (!after.empty()) {
            const auto program = read_fx_text(after);
            QVERIFY2(program, qPrintable(name));
            QCOMPARE(trimmed(print_fx(program->graphs.front().graph)), trimmed(after));
            QVERIFY2(program->notes.empty(), qPrintable(name));
            ++cases;
        }
    }
    QVERIFY(cases > 300);
}

void TestFxText::exportedProgramHasItsSignature() {
    const auto program = read_fx_text(sample_text("fx_text/exported.ep.txt"));
    QVERIFY(program);
    const ProgramGraph& root = program->graphs.front();
    QCOMPARE(root.kind, "exported_program");
    QVERIFY(root.signature.has_value());
    const auto& inputs = root.signature->inputs;
    QCOMPARE(inputs.size(), std::size_t{10});
    QCOMPARE(inputs[2].kind, InputSpec::Kind::parameter);
    QCOMPARE(inputs[2].placeholder, "p_blocks_0_weight");
    QCOMPARE(inputs[2].target, "blocks.0.weight");
    QCOMPARE(inputs[4].kind, InputSpec::Kind::buffer);
    QCOMPARE(inputs[4].persistent, std::optional(true));
    QCOMPARE(inputs[5].persistent, std::optional(false));
    QCOMPARE(inputs[6].kind, InputSpec::Kind::tensor_constant);
    QCOMPARE(inputs[7].kind, InputSpec::Kind::user_input);
    QCOMPARE(inputs[7].persistent, std::nullopt);
    QCOMPARE(root.ranges.size(), std::size_t{2});
    QCOMPARE(root.ranges[0].symbol, "zuf0");
    QCOMPARE(root.ranges[0].minimum, std::nullopt);
    QCOMPARE(root.ranges[0].maximum, std::nullopt);
    QCOMPARE(root.ranges[1].symbol, "s77");
    QCOMPARE(root.ranges[1].minimum, std::optional<std::int64_t>(0));
    QCOMPARE(root.ranges[1].maximum, std::optional<std::int64_t>(64));
}

void TestFxText::mutatedInputsAndConstantOutputs() {
    const auto program = read_fx_text(sample_text("fx_text/functional.ep.txt"));
    QVERIFY(program);
    const auto& outputs = program->graphs.front().signature->outputs;
    QCOMPARE(outputs.size(), std::size_t{6});
    QCOMPARE(outputs[0].kind, OutputSpec::Kind::buffer_mutation);
    QCOMPARE(outputs[0].target, "count");
    QCOMPARE(outputs[1].kind, OutputSpec::Kind::user_input_mutation);
    QCOMPARE(outputs[1].target, "x");
    QCOMPARE(outputs[5].kind, OutputSpec::Kind::user_output);
    QCOMPARE(outputs[5].value, "hi");
}

void TestFxText::signatureOfAnOldRelease() {
    const auto program = read_fx_text(
        "ExportedProgram:\n    class GraphModule(torch.nn.Module):\n        def forward(self, x: \"f32[2]\"):\n"
        "            return (x,)\n\nGraph signature: ExportGraphSignature(input_specs=[], output_specs=[])\n"
        "Range constraints: {}\n");
    QVERIFY2(program, program ? "" : program.error().message().c_str());
    QVERIFY(!program->graphs.front().signature);
    QCOMPARE(program->notes.size(), std::size_t{1});
}

void TestFxText::nestedGraphs() {
    const auto program = read_fx_text(sample_text("fx_text/branches.readable.txt"));
    QVERIFY(program);
    QStringList graphs;
    for (const ProgramGraph& graph : program->graphs) {
        graphs << QString::fromStdString(graph.id + " " + graph.kind + " " +
                                         std::to_string(graph.parent ? *graph.parent : 99));
        if (graph.parent) QVERIFY(program->graphs[*graph.parent].graph.find(graph.attribute) != no_node);
        QVERIFY(verify(graph.graph).empty());
    }
    QCOMPARE(graphs,
             (QStringList{"root print_readable 99", "true_graph_0 subgraph 0", "true_graph_0.true_graph_0 subgraph 1",
                          "true_graph_0.false_graph_0 subgraph 1", "false_graph_0 subgraph 0"}));
}

void TestFxText::annotations_data() {
    QTest::addColumn<QString>("text");
    for (const char* text :
         {"f32[][]cpu", "f32[2, s13, 16][16*s13, 16, 1]cpu", "bf16[0]cuda:1", "b8[1, 2]", "i64[s77][Max(1, s77)]cpu",
          "f32[s77, s27 - (((s27 + 1)//2))][s27, 1]cpu", "Sym(s27)", "Sym(u0 >= 0)", "Sym(((s27 + 1)//2))", "Sym(2)",
          "Sym(zuf0)", "Sym(Eq(u0, 1))", "Sym(-s0)", "Sym(ToFloat(s0))", "Sym(1.5)", "Sym(True)",
          "Parameter(f32[3][1]cpu)", "f8e4m3fn[2, 2][2, 1]meta"})
        QTest::newRow(text) << text;
}

void TestFxText::annotations() {
    QFETCH(QString, text);
    const std::string source = "def forward(self, x: \"" + text.toStdString() + "\"):\n    return x\n";
    const auto program = read_fx_text(source);
    QVERIFY2(program, program ? "" : program.error().message().c_str());
    QCOMPARE(QString::fromStdString(meta_text(program->graphs.front().graph, "x")), text);
}

void TestFxText::argumentsHaveTypes() {
    for (const char* file : {"fx_text/arguments.fx.txt", "fx_text/arguments.code.txt"}) {
        const auto program = read_fx_text(sample_text(file));
        QVERIFY(program);
        const Graph& graph = program->graphs.front().graph;
        const Node& full = node(graph, "full_default");
        const auto* size = full.args[0].as<ArgumentList>();
        QVERIFY(size);
        QCOMPARE(size->items[0], Argument(std::int64_t{2}));
        QCOMPARE(size->items[1].node(), graph.find("add_tensor_2"));
        QCOMPARE(full.args[1], Argument(-std::numeric_limits<double>::infinity()));
        QCOMPARE(full.kwargs[0].second, Argument(DType::f32));
        QCOMPARE(full.kwargs[1].second, Argument(DeviceName{"cuda:1"}));
        QCOMPARE(full.kwargs[2].second, Argument(Layout::strided));
        QCOMPARE(full.kwargs[3].second, Argument(false));
        QCOMPARE(node(graph, "add_tensor").args[1], Argument(std::complex<double>(1, 2)));
        QCOMPARE(node(graph, "add_tensor_1").args[1], Argument(std::complex<double>(-0.0, -2)));
        QCOMPARE(node(graph, "clone_default").kwargs[0].second, Argument(MemoryFormat::preserve));
        QCOMPARE(node(graph, "einsum_default").args[0], Argument(std::string("ij, jk -> ik")));
        QCOMPARE(node(graph, "einsum_default").args.size(), std::size_t{2});
        QCOMPARE(node(graph, "div_tensor_mode").kwargs[0].second, Argument(std::string("trunc")));
        QCOMPARE(node(graph, "getattr_2").args[1], Argument(std::string("0")));
        const auto* slice = node(graph, "getitem_1").args[1].as<ArgumentList>();
        QVERIFY(slice && slice->kind == ArgumentList::Kind::slice);
        QCOMPARE(slice->items[1].node(), graph.find("x"));
        const Node& relu = node(graph, "relu");
        const auto* dict = relu.kwargs[0].second.as<ArgumentDict>();
        QVERIFY(dict);
        QCOMPARE(dict->items[0].second.node(), graph.find("x"));
        QCOMPARE(relu.kwargs[1].second, Argument(std::string("it's \"q\"")));
        QCOMPARE(relu.kwargs[2].second, Argument(std::string()));
        QCOMPARE(relu.kwargs[3].second, Argument(OpaqueText{"1180591620717411303424"}));
        QCOMPARE(relu.kwargs[4].second, Argument(std::numeric_limits<std::int64_t>::min()));
        QCOMPARE(node(graph, "view").opcode, Opcode::call_method);
        QCOMPARE(node(graph, "layers_0").opcode, Opcode::call_module);
        QCOMPARE(node(graph, "layers_0").target, "layers.0");
        QCOMPARE(node(graph, "layers_0_weight").opcode, Opcode::get_attr);
        QCOMPARE(node(graph, "l_self_").target, "L_self_");
        QCOMPARE(node(graph, "_kw").target, "**kw");
    }
}

void TestFxText::unquotedStrings_data() {
    QTest::addColumn<QString>("target");
    QTest::addColumn<QString>("args");
    QTest::addColumn<int>("count");
    QTest::addColumn<int>("stringAt");
    QTest::addColumn<QString>("string");
    QTest::newRow("comma in a string") << "torch.ops.aten.einsum.default" << "ij,jk->ik, [%x, %x]" << 2 << 0
                                       << "ij,jk->ik";
    QTest::newRow("separator in a string")
        << "torch.ops.aten.einsum.default" << "ij, jk -> ik, [%x, %x]" << 2 << 0 << "ij, jk -> ik";
    QTest::newRow("no blank behind nodes") << "torch.ops.aten.einsum.default" << "i,i->, [%x,%x]" << 2 << 0 << "i,i->";
    QTest::newRow("a device by name only") << "torch.ops.aten._assert_async.msg" << "%x, cpu" << 2 << 1 << "cpu";
    QTest::newRow("a message with separators")
        << "torch.ops.aten._assert_async.msg" << "%x, bad: 3, %x, (2, 3)" << 2 << 1 << "bad: 3, %x, (2, 3)";
    QTest::newRow("an unknown operator") << "torch.ops.mylib.reduce.default" << "%x, mean" << 2 << 1 << "mean";
    QTest::newRow("unknown operator, commas") << "torch.ops.mylib.reduce.default" << "a,b;c, %x" << 2 << 0 << "a,b;c";
}

void TestFxText::unquotedStrings() {
    QFETCH(QString, target);
    QFETCH(QString, args);
    QFETCH(int, count);
    QFETCH(int, stringAt);
    QFETCH(QString, string);
    const std::string text =
        "graph():\n    %x : [num_users=1] = placeholder[target=x]\n    %y : [num_users=1] = call_function[target=" +
        target.toStdString() + "](args = (" + args.toStdString() + "), kwargs = {})\n    return y";
    const auto program = read_fx_text(text);
    QVERIFY2(program, program ? "" : program.error().message().c_str());
    const Node& y = node(program->graphs.front().graph, "y");
    QCOMPARE(static_cast<int>(y.args.size()), count);
    QCOMPARE(y.args[static_cast<std::size_t>(stringAt)], Argument(string.toStdString()));
}

void TestFxText::originsFollowComments() {
    const auto program = read_fx_text(R"(
def forward(self, x):
    # File: a b.py:6 in forward, code: h = f(x), code: 2
    y = torch.relu(x)
    z = torch.relu(y)
    # Annotation: {'stage': 0} ac_graph_id: 3 - MUST_SAVE File: m.py:7 in <lambda>, code: g
    u = torch.relu(z)

    # No stacktrace found for following nodes
    v = torch.relu(u)
    # a person's own remark
    w = torch.relu(v)
    return w
)");
    QVERIFY2(program, program ? "" : program.error().message().c_str());
    const Graph& graph = program->graphs.front().graph;
    QCOMPARE(node(graph, "y").origin.stack_trace, "  File \"a b.py\", line 6, in forward\n    h = f(x), code: 2");
    QCOMPARE(node(graph, "z").origin.stack_trace, node(graph, "y").origin.stack_trace);
    QCOMPARE(node(graph, "u").origin.stack_trace, "  File \"m.py\", line 7, in <lambda>\n    g");
    const std::vector<std::pair<std::string, std::string>> properties{
        {"custom", "{'stage': 0}"}, {"ac_graph_id", "3"}, {"recompute", "MUST_SAVE"}};
    QCOMPARE(node(graph, "u").origin.properties, properties);
    QVERIFY(node(graph, "v").origin.stack_trace.empty());
    QVERIFY(node(graph, "w").origin.stack_trace.empty());
    QVERIFY(node(graph, "x").origin.stack_trace.empty());
}

void TestFxText::severalGraphs() {
    const std::string one = "class A(torch.nn.Module):\n    def forward(self, x):\n        return x\n";
    const auto program =
        read_fx_text(one + "\n" + one + "graph():\n    %x : [num_users=1] = placeholder[target=x]\n    return x\n" +
                     "def forward(self, y):\n    return (y,)\n");
    QVERIFY2(program, program ? "" : program.error().message().c_str());
    QStringList graphs;
    for (const ProgramGraph& graph : program->graphs) graphs << QString::fromStdString(graph.id + " " + graph.kind);
    QCOMPARE(graphs, (QStringList{"a code", "a_1 code", "graph fx_graph", "forward code"}));
}

void TestFxText::inputsOfAReproScript() {
    const auto program = read_fx_text(sample_text("fx_text/fx_graph_runnable.py"));
    QVERIFY2(program, program ? "" : program.error().message().c_str());
    QCOMPARE(program->torch_version, "2.13.0+cpu");
    QCOMPARE(program->graphs.size(), std::size_t{1});
    QCOMPARE(program->graphs[0].title, "Repro");
    const Graph& graph = program->graphs[0].graph;
    QCOMPARE(graph.placeholders().size(), std::size_t{5});
    QCOMPARE(meta_text(graph, "arg0_1"), "f32[32, 16][16, 1]cpu");
    QCOMPARE(meta_text(graph, "arg4_1"), "f32[8][1]cpu");
}

void TestFxText::everyKindOfReproInput() {
    const auto program = read_fx_text(R"(
class Repro(torch.nn.Module):
    def forward(self, arg0_1, arg1_1, arg2_1, arg3_1, arg4_1):
        return (arg0_1, arg1_1, arg2_1, arg3_1, arg4_1)

def load_args(reader):
    buf0 = reader.storage(None, 4*s77, device=device(type='cuda', index=1), dtype_hint=torch.float16)
    reader.symint(32, expr='s77')  # arg0_1
    reader.tensor(buf0, (s77, 4), (1, s77), dtype=torch.float16, storage_offset=8)  # arg1_1
    reader.tensor(buf0, (), dtype=torch.bool, is_leaf=True)  # arg2_1
    reader.tensor(buf0, (2, 3), dtype=torch.nonsense)  # arg3_1
    reader.unsupported('arg4_1')  # unsupported type for dumping: <class 'dict'>
load_args._version = 0
)");
    QVERIFY2(program, program ? "" : program.error().message().c_str());
    const ProgramGraph& root = program->graphs[0];
    QCOMPARE(meta_text(root.graph, "arg0_1"), "Sym(s77)");
    QCOMPARE(meta_text(root.graph, "arg1_1"), "f16[s77, 4][1, s77]cuda:1");
    QCOMPARE(std::get<TensorMeta>(node(root.graph, "arg1_1").meta).storage_offset, std::optional<SymbolicSize>(8));
    QCOMPARE(meta_text(root.graph, "arg2_1"), "b8[][]cuda:1");
    QCOMPARE(meta_text(root.graph, "arg3_1"), "");
    QCOMPARE(meta_text(root.graph, "arg4_1"), "");
    QCOMPARE(root.hints, (std::map<std::string, std::int64_t>{{"s77", 32}}));
}

void TestFxText::operatorsAreValues() {
    for (const char* form : {"fx", "code", "readable"}) {
        const auto program = read_fx_text(sample_text(QString("fx_text/unusual.%1.txt").arg(form)));
        QVERIFY(program);
        QCOMPARE(node(program->graphs[0].graph, "auto_functionalized_v2").args[0],
                 Argument(OpaqueText{"torch.ops.aten.index_put_.default"}));
    }
}

void TestFxText::wrongUserCountsAreNoted() {
    const auto program = read_fx_text("graph():\n    %x : [num_users=3] = placeholder[target=x]\n    return (x, x)");
    QVERIFY(program);
    QCOMPARE(program->notes, (std::vector<std::string>{"line 2, column 5: %x is said to have 3 users, but has 1"}));
}

void TestFxText::objectsOfNodesBecomeTuples() {
    const auto program = read_fx_text("def forward(self, x, y):\n    return (my_module_Pair(x, y), Color.RED, "
                                      "torch.Tensor(size=[2], dtype=float32))");
    QVERIFY2(program, program ? "" : program.error().message().c_str());
    const Graph& graph = program->graphs.front().graph;
    QCOMPARE(trimmed(print_fx_node(graph, graph.output())),
             "return ((x, y), Color.RED, torch.Tensor(size=[2], dtype=float32))");
    QCOMPARE(program->notes,
             (std::vector<std::string>{"objects of class my_module_Pair are read as plain tuples of what they hold"}));
}

void TestFxText::aHundredThousandNodes_data() {
    QTest::addColumn<bool>("listing");
    QTest::newRow("str(graph)") << true;
    QTest::newRow("print_readable") << false;
}

void TestFxText::aHundredThousandNodes() {
    QFETCH(bool, listing);
    std::string text = listing ? "graph():\n    %add : [num_users=1] = placeholder[target=add]\n"
                               : "class M(torch.nn.Module):\n    def forward(self, add: \"f32[16, 16][16, 1]cpu\"):\n";
    std::string last = "add";
    for (int i = 1; i <= 100'000; ++i) {
        const std::string name = "add_" + std::to_string(i);
        if (listing)
            text += "    %" + name + " : [num_users=1] = call_function[target=torch.ops.aten.add.Tensor](args = (%" +
                    last + ", 1), kwargs = {alpha: 2})\n";
        else
            text += "        " + name + ": \"f32[16, 16][16, 1]cpu\" = torch.ops.aten.add.Tensor(" + last +
                    ", 1, alpha = 2);  " + last + " = None\n";
        last = name;
    }
    text += listing ? "    return (" + last + ",)\n" : "        return (" + last + ",)\n";
    std::vector<int> percents;
    ReadOptions options;
    options.progress = [&](int percent) { percents.push_back(percent); };
    const auto program = read_fx_text(text, options);
    QVERIFY2(program, program ? "" : program.error().message().c_str());
    QCOMPARE(program->graphs.front().graph.size(), std::size_t{100'002});
    QVERIFY(percents.size() > 10);
    QVERIFY(std::ranges::is_sorted(percents));
    QVERIFY(percents.front() >= 0 && percents.back() <= 100);
}

QTEST_APPLESS_MAIN(TestFxText)
#include "test_fx_text.moc"
