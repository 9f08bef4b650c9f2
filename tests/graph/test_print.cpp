#include <QtTest>

#include <algorithm>
#include <limits>

#include "core/graph/custom_annotation.h"
#include "core/graph/print.h"
#include "core/graph/python_repr.h"

using namespace inspector;

namespace {

using Kind = ArgumentList::Kind;

/// Builds graphs line by line.
struct Builder {
    Graph graph;

    NodeId add(Opcode opcode, const std::string& name, const std::string& target, std::vector<Argument> args = {},
               std::vector<NamedArgument> kwargs = {}, ValueMeta meta = {}) {
        Node node;
        node.opcode = opcode;
        node.name = name;
        node.target = target;
        node.args = std::move(args);
        node.kwargs = std::move(kwargs);
        node.meta = std::move(meta);
        return graph.append(std::move(node));
    }
    NodeId placeholder(const std::string& name, ValueMeta meta = {}) {
        return add(Opcode::placeholder, name, name, {}, {}, std::move(meta));
    }
    NodeId call(const std::string& name, const std::string& target, std::vector<Argument> args = {},
                std::vector<NamedArgument> kwargs = {}, ValueMeta meta = {}) {
        return add(Opcode::call_function, name, target, std::move(args), std::move(kwargs), std::move(meta));
    }
    void output(Argument value) { add(Opcode::output, "output", "output", {std::move(value)}); }
};

Argument ref(NodeId id) { return NodeReference{id}; }
Argument list(std::vector<Argument> items) { return ArgumentList{Kind::list, std::move(items)}; }
Argument tuple(std::vector<Argument> items) { return ArgumentList{Kind::tuple, std::move(items)}; }
Argument slice(Argument start, Argument stop, Argument step) {
    return ArgumentList{Kind::slice, {std::move(start), std::move(stop), std::move(step)}};
}

std::vector<SymbolicSize> sizes(std::initializer_list<const char*> texts) {
    std::vector<SymbolicSize> result;
    for (const char* text : texts) result.push_back(SymbolicSize::parse(text).value());
    return result;
}

TensorMeta tensor(std::initializer_list<const char*> shape, std::initializer_list<const char*> strides) {
    TensorMeta meta;
    meta.sizes = sizes(shape);
    meta.strides = sizes(strides);
    meta.device = "cpu";
    return meta;
}

ScalarMeta scalar(const char* text) { return {ScalarMeta::Kind::integer, SymbolicSize::parse(text).value(), false}; }

/// One node of every kind, every kind of argument.
Graph every_kind() {
    Builder b;
    const NodeId x = b.placeholder("x");
    const NodeId trunc = b.call("trunc", "math.trunc", {ref(x)});
    const NodeId attribute = b.call("getattr_1", "builtins.getattr", {ref(trunc), std::string("foo")});
    b.call("getattr_2", "builtins.getattr", {ref(trunc), std::string("fo o")});
    b.call("getitem", "operator.getitem",
           {ref(x), tuple({slice(None{}, ref(attribute), None{}), slice(std::int64_t{1}, std::int64_t{2}, std::int64_t{3}),
                           OpaqueText{"Ellipsis"}, None{}})});
    const NodeId full = b.call("full_default", "torch.ops.aten.full.default",
                               {list({std::int64_t{1}, std::int64_t{2}}), -std::numeric_limits<double>::infinity()},
                               {{"device", DeviceName{"cuda:0"}},
                                {"dtype", DType::f32},
                                {"layout", Layout::strided},
                                {"memory_format", MemoryFormat::channels_last}});
    b.call("setitem", "operator.setitem", {ref(x), std::int64_t{0}, ref(full)});
    b.add(Opcode::call_method, "view", "view",
          {ref(full), std::int64_t{-1}, ArgumentDict{{{"k", ref(full)}, {"s", std::string("q")}}}},
          {{"s", std::string("a\"b'c")},
           {"c", std::complex<double>(1, 2)},
           {"d", std::complex<double>(0, 2)},
           {"e", std::complex<double>(-0.0, -1)},
           {"f", std::complex<double>(1.5, 1e20)}});
    const NodeId weight = b.add(Opcode::get_attr, "w_0_b", "w.0.b");
    b.add(Opcode::call_module, "m_1", "m.1", {ref(weight)});
    b.call("sym_max", "torch.sym_max", {std::int64_t{1}, std::int64_t{2}});
    b.call("iadd", "operator.iadd", {ref(x), std::int64_t{1}});
    const NodeId neg = b.call("neg", "operator.neg", {ref(x)});
    b.call("max_1", "builtins.max", {std::int64_t{1}, std::int64_t{2}});
    b.call("not_", "operator.not_", {ref(x)});
    b.call("pow_1", "operator.pow", {ref(x), std::int64_t{2}});
    b.call("add_tensor", "torch.ops.aten.add.Tensor", {ref(x), tuple({})}, {{"alpha", tuple({ref(x)})}});
    b.call("relu", "torch.nn.functional.relu",
           {ref(x), 1e-5, 1e16, 1e15, 123456789.123, 5e-324, std::numeric_limits<double>::quiet_NaN(), true, None{}});
    b.call("istype", "torch._dynamo.utils.istype", {ref(x)});
    b.output(tuple({tuple({ref(full)}), list({ref(x)}), ArgumentDict{{{"a", ref(neg)}}}, std::string("s"),
                    DeviceName{"cpu"}}));
    return std::move(b.graph);
}

} // namespace

class TestPrint : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void fxText();
    void readableText();
    void annotationsAndComments();
    void customMetadata_data();
    void customMetadata();
    void nestedGraphs();
    void linesNameTheirNodes();
    void emptyGraph();
    void pythonFloats_data();
    void pythonFloats();
    void pythonStrings_data();
    void pythonStrings();
    void stackTraces_data();
    void stackTraces();
};

// The expected texts of this file were printed by torch 2.13 from the same graphs.

void TestPrint::fxText() {
    const QString expected = R"text(graph():
    %x : [num_users=11] = placeholder[target=x]
    %trunc : [num_users=2] = call_function[target=math.trunc](args = (%x,), kwargs = {})
    %getattr_1 : [num_users=1] = call_function[target=builtins.getattr](args = (%trunc, foo), kwargs = {})
    %getattr_2 : [num_users=0] = call_function[target=builtins.getattr](args = (%trunc, fo o), kwargs = {})
    %getitem : [num_users=0] = call_function[target=operator.getitem](args = (%x, (slice(None, getattr_1, None), slice(1, 2, 3), Ellipsis, None)), kwargs = {})
    %full_default : [num_users=3] = call_function[target=torch.ops.aten.full.default](args = ([1, 2], -inf), kwargs = {device: cuda:0, dtype: torch.float32, layout: torch.strided, memory_format: torch.channels_last})
    %setitem : [num_users=0] = call_function[target=operator.setitem](args = (%x, 0, %full_default), kwargs = {})
    %view : [num_users=0] = call_method[target=view](args = (%full_default, -1, {k: %full_default, s: q}), kwargs = {s: a"b'c, c: (1+2j), d: 2j, e: (-0-1j), f: (1.5+1e+20j)})
    %w_0_b : [num_users=1] = get_attr[target=w.0.b]
    %m_1 : [num_users=0] = call_module[target=m.1](args = (%w_0_b,), kwargs = {})
    %sym_max : [num_users=0] = call_function[target=torch.sym_max](args = (1, 2), kwargs = {})
    %iadd : [num_users=0] = call_function[target=operator.iadd](args = (%x, 1), kwargs = {})
    %neg : [num_users=1] = call_function[target=operator.neg](args = (%x,), kwargs = {})
    %max_1 : [num_users=0] = call_function[target=builtins.max](args = (1, 2), kwargs = {})
    %not_ : [num_users=0] = call_function[target=operator.not_](args = (%x,), kwargs = {})
    %pow_1 : [num_users=0] = call_function[target=operator.pow](args = (%x, 2), kwargs = {})
    %add_tensor : [num_users=0] = call_function[target=torch.ops.aten.add.Tensor](args = (%x, ()), kwargs = {alpha: (%x,)})
    %relu : [num_users=0] = call_function[target=torch.nn.functional.relu](args = (%x, 1e-05, 1e+16, 1000000000000000.0, 123456789.123, 5e-324, nan, True, None), kwargs = {})
    %istype : [num_users=0] = call_function[target=torch._dynamo.utils.istype](args = (%x,), kwargs = {})
    return ((full_default,), [x], {'a': neg}, 's', device(type='cpu')))text";
    QCOMPARE(QString::fromStdString(print_fx(every_kind())), expected);
}

void TestPrint::readableText() {
    const QString expected = R"text(class GraphModule(torch.nn.Module):
    def forward(self, x):
        # No stacktrace found for following nodes
        trunc = math_trunc(x)
        getattr_1 = trunc.foo
        getattr_2 = getattr(trunc, 'fo o');  trunc = getattr_2 = None
        getitem = x[(slice(None, getattr_1, None), slice(1, 2, 3), Ellipsis, None)];  getattr_1 = getitem = None
        full_default = torch.ops.aten.full.default([1, 2], -inf, device = device(type='cuda', index=0), dtype = torch.float32, layout = torch.strided, memory_format = torch.channels_last)
        x[0] = full_default;  setitem = x;  setitem = None
        view = full_default.view(-1, {'k': full_default, 's': 'q'}, s = 'a"b\'c', c = (1+2j), d = 2j, e = (-0-1j), f = (1.5+1e+20j));  view = None
        w_0_b = getattr(self.w, "0").b
        m_1 = getattr(self.m, "1")(w_0_b);  w_0_b = m_1 = None
        sym_max = torch.sym_max(1, 2);  sym_max = None
        x += 1;  iadd = x;  iadd = None
        neg = -x
        max_1 = max(1, 2);  max_1 = None
        not_ = _operator_not_(x);  not_ = None
        pow_1 = x ** 2;  pow_1 = None
        add_tensor = torch.ops.aten.add.Tensor(x, (), alpha = (x,));  add_tensor = None
        relu = torch.nn.functional.relu(x, 1e-05, 1e+16, 1000000000000000.0, 123456789.123, 5e-324, nan, True, None);  relu = None
        istype = torch__dynamo_utils_istype(x);  istype = None
        return ((full_default,), [x], {'a': neg}, 's', device(type='cpu'))
)text";
    QCOMPARE(QString::fromStdString(print_readable(every_kind(), {})), expected);
}

void TestPrint::annotationsAndComments() {
    Builder b;
    const NodeId x = b.placeholder("x", tensor({"2", "s13", "16"}, {"16*s13", "16", "1"}));
    TensorMeta parameter = tensor({}, {});
    parameter.class_name = "Parameter";
    const NodeId p = b.placeholder("p", parameter);
    Node renamed;
    renamed.opcode = Opcode::placeholder;
    renamed.name = "l_y_";
    renamed.target = "L_y_";
    renamed.type = "list";
    b.graph.append(renamed);
    b.call("sym", "torch.ops.aten.sym_size.int", {ref(x), std::int64_t{1}}, {}, scalar("s13"));
    const auto traced = [&](const std::string& name, const std::string& frame) {
        Node node;
        node.name = name;
        node.target = "torch.ops.aten.add.Tensor";
        node.args = {ref(x), ref(p)};
        node.meta = tensor({"s27 - (((s27 + 1)//2))"}, {"1"});
        node.origin.stack_trace = frame;
        return node;
    };
    const std::string frame = "  File \"model.py\", line 6, in forward\n    h = x + p\n";
    b.graph.append(traced("add", frame));
    b.graph.append(traced("add_1", frame));
    Node noted = traced("add_2", frame);
    noted.origin.properties = {{"custom", "{'stage': 1}"}, {"recompute", "MUST_SAVE"}, {"ac_graph_id", "0"}};
    b.graph.append(noted);
    Node plain = traced("split", "");
    plain.meta = ListMeta{};
    b.graph.append(plain);
    b.output(ref(x));
    const QString expected = R"text(class Model(torch.nn.Module):
    def forward(self, x: "f32[2, s13, 16][16*s13, 16, 1]cpu", p: "Parameter(f32[][]cpu)", L_y_ : list):
        l_y_ = L_y_

        # No stacktrace found for following nodes
        sym: "Sym(s13)" = torch.ops.aten.sym_size.int(x, 1);  sym = None

        # File: model.py:6 in forward, code: h = x + p
        add: "f32[s27 - (((s27 + 1)//2))][1]cpu" = torch.ops.aten.add.Tensor(x, p);  add = None
        add_1: "f32[s27 - (((s27 + 1)//2))][1]cpu" = torch.ops.aten.add.Tensor(x, p);  add_1 = None

        # Annotation: {'stage': 1} ac_graph_id: 0 - MUST_SAVE File: model.py:6 in forward, code: h = x + p
        add_2: "f32[s27 - (((s27 + 1)//2))][1]cpu" = torch.ops.aten.add.Tensor(x, p);  add_2 = None

        # No stacktrace found for following nodes
        split = torch.ops.aten.add.Tensor(x, p);  p = split = None
        return x
)text";
    QCOMPARE(QString::fromStdString(print_readable(b.graph, {"Model", true, true})), expected);
    QCOMPARE(annotation(parameter, {"", false, false}), std::string("Parameter(f32[])"));
}

void TestPrint::customMetadata_data() {
    QTest::addColumn<QByteArray>("custom");
    QTest::addColumn<QByteArray>("shown");
    QTest::newRow("values") << QByteArray(R"({"stage": 1, "name": "it's", "f": 0.5, "b": true, "n": null, "l": [1, "a"]})")
                            << QByteArray(R"({'stage': 1, 'name': "it's", 'f': 0.5, 'b': True, 'n': None, 'l': [1, 'a']})");
    QTest::newRow("nested") << QByteArray(R"({"d": {"k": []}})") << QByteArray("{'d': {'k': []}}");
    QTest::newRow("long text") << "{\"x\": \"" + QByteArray(50, 'x') + "\"}" << "{'x': '" + QByteArray(40, 'x') + "...'}";
    QTest::newRow("as long as is shown") << "{\"x\": \"" + QByteArray(40, 'x') + "\"}" << "{'x': '" + QByteArray(40, 'x') + "'}";
    QTest::newRow("characters, not bytes") << "{\"x\": \"" + QByteArray("é").repeated(41) + "\"}"
                                           << "{'x': '" + QByteArray("é").repeated(40) + "...'}";
    QTest::newRow("long list") << QByteArray("{\"l\": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]}")
                               << QByteArray("{'l': '[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 1...'}");
    QTest::newRow("empty") << QByteArray("{}") << QByteArray();
    QTest::newRow("printed already") << QByteArray("{'stage': 1}") << QByteArray("{'stage': 1}");
    QTest::newRow("none") << QByteArray() << QByteArray();
}

void TestPrint::customMetadata() {
    QFETCH(QByteArray, custom);
    QTEST(QByteArray::fromStdString(custom_annotation(custom.toStdString())), "shown");
}

void TestPrint::nestedGraphs() {
    const auto leaf = [] {
        Builder b;
        const NodeId x = b.placeholder("x");
        b.output(ref(x));
        return std::move(b.graph);
    };
    Program program;
    for (const char* name : {"root", "true_graph_0", "false_graph_0", "deep"}) {
        ProgramGraph graph;
        graph.id = graph.attribute = name;
        graph.graph = leaf();
        program.graphs.push_back(std::move(graph));
    }
    program.graphs[1].parent = 0;
    program.graphs[2].parent = 0;
    program.graphs[3].parent = 1;
    const QString expected = R"text(class GraphModule(torch.nn.Module):
    def forward(self, x):
        return x

    class true_graph_0(torch.nn.Module):
        def forward(self, x):
            return x

        class deep(torch.nn.Module):
            def forward(self, x):
                return x

    class false_graph_0(torch.nn.Module):
        def forward(self, x):
            return x
)text";
    QCOMPARE(QString::fromStdString(print_readable(program, 0, {})), expected);
}

void TestPrint::linesNameTheirNodes() {
    const Graph graph = every_kind();
    std::size_t named = 0;
    for (const ReadableLine& line : print_readable_lines(graph, {})) {
        for (const ReadableName& name : line.names) {
            QCOMPARE(line.text.substr(name.column, name.length), graph.node(name.node).name);
            ++named;
        }
        if (line.node == no_node) continue;
        const bool names_itself = std::ranges::count(line.names, line.node, &ReadableName::node) > 0;
        QCOMPARE(names_itself, graph.node(line.node).opcode != Opcode::output);
    }
    QCOMPARE(named, 58U);
}

void TestPrint::emptyGraph() {
    QCOMPARE(print_fx(Graph()), std::string("graph():"));
    QCOMPARE(print_readable(Graph(), {}), std::string("class GraphModule(torch.nn.Module):\n    def forward(self):\n        pass\n"));
}

void TestPrint::pythonFloats_data() {
    QTest::addColumn<double>("value");
    QTest::addColumn<QString>("repr");
    QTest::newRow("zero") << 0.0 << "0.0";
    QTest::newRow("negative zero") << -0.0 << "-0.0";
    QTest::newRow("whole") << 3.0 << "3.0";
    QTest::newRow("tenth") << 0.1 << "0.1";
    QTest::newRow("smallest fixed") << 0.0001 << "0.0001";
    QTest::newRow("largest small exponent") << 0.00001 << "1e-05";
    QTest::newRow("digits and exponent") << -1.25e-7 << "-1.25e-07";
    QTest::newRow("largest fixed") << 1e15 << "1000000000000000.0";
    QTest::newRow("smallest large exponent") << 1e16 << "1e+16";
    QTest::newRow("largest") << 1.7976931348623157e308 << "1.7976931348623157e+308";
    QTest::newRow("smallest") << 5e-324 << "5e-324";
    QTest::newRow("fraction") << 123456789.123 << "123456789.123";
    QTest::newRow("infinity") << -std::numeric_limits<double>::infinity() << "-inf";
}

void TestPrint::pythonFloats() {
    QFETCH(double, value);
    QTEST(QString::fromStdString(python_repr(value)), "repr");
}

void TestPrint::pythonStrings_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("repr");
    QTest::newRow("plain") << QByteArray("mean") << QByteArray("'mean'");
    QTest::newRow("apostrophe") << QByteArray("it's") << QByteArray("\"it's\"");
    QTest::newRow("both quotes") << QByteArray("a\"b'c") << QByteArray(R"('a"b\'c')");
    QTest::newRow("escapes") << QByteArray("\\\n\r\t\x1b") << QByteArray(R"('\\\n\r\t\x1b')");
    QTest::newRow("printable") << QByteArray("é→") << QByteArray("'é→'");
    QTest::newRow("hidden") << QByteArray("\xE2\x80\x8B\x7F") << QByteArray(R"('\u200b\x7f')");
    QTest::newRow("not UTF-8") << QByteArray("a\xFF\xC3") << QByteArray(R"('a\xff\xc3')");
}

void TestPrint::pythonStrings() {
    QFETCH(QByteArray, text);
    QTEST(QByteArray::fromStdString(python_repr(text.toStdString())), "repr");
}

void TestPrint::stackTraces_data() {
    QTest::addColumn<QString>("trace");
    QTest::addColumn<QString>("summary");
    QTest::newRow("innermost last") << "  File \"a.py\", line 1, in f\n    g()\n  File \"b.py\", line 22, in g\n    h()\n"
                                    << "File: b.py:22 in g, code: h()";
    QTest::newRow("name with spaces") << "File \"a, b\", line 3, in <lambda> x\n  y" << "File: a, b:3 in <lambda> x, code: y";
    QTest::newRow("path that looks like more") << "File \"a\", line 1, in b\", line 2, in c\ncode"
                                               << "File: a\", line 1, in b:2 in c, code: code";
    QTest::newRow("no code below") << "File \"a.py\", line 1, in f" << "";
    QTest::newRow("not a trace") << "nothing\nhere" << "";
    QTest::newRow("empty") << "" << "";
}

void TestPrint::stackTraces() {
    QFETCH(QString, trace);
    QTEST(QString::fromStdString(stack_summary(trace.toStdString())), "summary");
}

QTEST_APPLESS_MAIN(TestPrint)
#include "test_print.moc"
