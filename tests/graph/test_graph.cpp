#include <QtTest>

#include <algorithm>
#include <random>

#include "core/graph/graph.h"
#include "core/graph/verify.h"

using namespace inspector;

namespace {

Argument ref(NodeId id) { return NodeReference{id}; }

Node make(std::string name, std::vector<Argument> args = {}, Opcode opcode = Opcode::call_function) {
    Node node;
    node.opcode = opcode;
    node.target = opcode == Opcode::call_function ? "torch.ops.aten.add.Tensor" : name;
    node.name = std::move(name);
    node.args = std::move(args);
    return node;
}

/// Everything a graph can be asked, read out.
struct Snapshot {
    struct NodeState {
        NodeId id;
        Opcode opcode;
        std::string name, target;
        std::vector<Argument> args;
        std::vector<NamedArgument> kwargs;
        ValueMeta meta;
        std::vector<NodeId> users, inputs;
        bool operator==(const NodeState&) const = default;
    };
    std::vector<NodeState> nodes;
    std::vector<NodeId> backwards;
    std::vector<std::string> fresh;
    std::size_t size = 0, id_limit = 0;
    bool operator==(const Snapshot&) const = default;
};

const std::vector<std::string> bases{"add", "copy__default", "sum", "x_1", "1bad name"};

Snapshot snapshot(const Graph& graph) {
    Snapshot state;
    for (const NodeId id : graph) {
        const Node& n = graph.node(id);
        state.nodes.push_back(
            {id, n.opcode, n.name, n.target, n.args, n.kwargs, n.meta, graph.users(id), graph.inputs(id)});
    }
    for (NodeId id = graph.last(); id != no_node; id = graph.previous(id)) state.backwards.push_back(id);
    for (const std::string& base : bases) state.fresh.push_back(graph.fresh_name(base));
    state.size = graph.size();
    state.id_limit = graph.id_limit();
    return state;
}

/// Makes random edits that keep the graph well-formed.
class RandomEditor {
public:
    explicit RandomEditor(unsigned seed) : random_(seed) {}

    void edit(Graph& graph) {
        const std::vector<NodeId> nodes(graph.begin(), graph.end());
        const std::size_t at = pick(nodes.size());
        const NodeId id = nodes[at];
        switch (pick(9)) {
        case 0:
        case 1: graph.insert_after(id, make(name(graph), arguments(nodes, at + 1))); break;
        case 2: graph.insert_before(id, make(name(graph), arguments(nodes, at))); break;
        case 3: graph.set_target(id, "target" + std::to_string(pick(100))); break;
        case 4: graph.set_arguments(id, arguments(nodes, at), {{"k", argument(nodes, at)}}); break;
        case 5: graph.set_meta(id, ScalarMeta{ScalarMeta::Kind::integer, std::int64_t(pick(9)), false}); break;
        case 6: graph.set_name(id, name(graph)); break;
        case 7:
            if (const auto inputs = graph.inputs(id); !inputs.empty())
                graph.replace_input(id, inputs[pick(inputs.size())], nodes[pick(at)]);
            break;
        default:
            if (!graph.has_users(id) && nodes.size() > 3) {
                graph.erase(id);
            } else {
                // Anywhere between its last input and its first user.
                std::size_t low = at;
                while (low > 0 && !std::ranges::count(graph.inputs(id), nodes[low - 1])) --low;
                const auto users = graph.users(id);
                std::size_t high = at + 1;
                while (high < nodes.size() && !std::ranges::count(users, nodes[high])) ++high;
                const std::size_t to = low + pick(high - low + 1);
                graph.move_before(id, to == nodes.size() ? no_node : nodes[to]);
            }
        }
    }
    std::size_t pick(std::size_t count) { return count == 0 ? 0 : random_() % count; }

private:
    std::string name(const Graph& graph) { return graph.fresh_name(bases[pick(bases.size())]); }
    Argument argument(const std::vector<NodeId>& nodes, std::size_t before) {
        if (before == 0 || pick(4) == 0) return std::int64_t(pick(7));
        if (pick(4) > 0) return ref(nodes[pick(before)]);
        return ArgumentList{ArgumentList::Kind::tuple, {argument(nodes, before), ref(nodes[pick(before)])}};
    }
    std::vector<Argument> arguments(const std::vector<NodeId>& nodes, std::size_t before) {
        std::vector<Argument> args;
        for (std::size_t count = pick(4); count > 0; --count) args.push_back(argument(nodes, before));
        return args;
    }
    std::mt19937 random_;
};

QString describe(const Graph& graph) {
    QString text;
    for (const Error& error : verify(graph)) text += QString::fromStdString(error.message()) + "\n";
    return text;
}

} // namespace

class TestGraph : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void usersAreInProgramOrder();
    void orderFollowsInsertionAndMoves();
    void replaceInputTouchesEveryReference();
    void freshNamesAreThoseOfFx_data();
    void freshNamesAreThoseOfFx();
    void namesOfErasedNodesStayUsed();
    void copyIsIndependent();
    void randomEditsUndoExactly();
    void manyInsertionsAtOnePlaceKeepTheOrder();
    void malformedGraphsAreReported();
};

void TestGraph::usersAreInProgramOrder() {
    Graph graph;
    const NodeId x = graph.append(make("x", {}, Opcode::placeholder));
    const NodeId late = graph.append(make("late", {ref(x), ref(x)}));
    const NodeId early = graph.insert_before(late, make("early", {ArgumentList{ArgumentList::Kind::list, {ref(x)}}}));
    QCOMPARE(graph.users(x), (std::vector{early, late}));
    QCOMPARE(graph.user_count(x), 2U);
    QCOMPARE(graph.inputs(late), std::vector{x});
    QVERIFY(!graph.has_users(late));
    QVERIFY(graph.is_before(early, late));
    QVERIFY(!graph.is_before(late, late));
}

void TestGraph::orderFollowsInsertionAndMoves() {
    Graph graph;
    const NodeId b = graph.append(make("b"));
    const NodeId a = graph.insert_before(b, make("a"));
    const NodeId c = graph.insert_after(b, make("c"));
    const NodeId first = graph.insert_after(no_node, make("first"));
    QCOMPARE(std::vector(graph.begin(), graph.end()), (std::vector{first, a, b, c}));
    graph.move_before(first, no_node);
    graph.move_before(c, a);
    QCOMPARE(std::vector(graph.begin(), graph.end()), (std::vector{c, a, b, first}));
    QCOMPARE(graph.last(), first);
    graph.undo_to(4);
    QCOMPARE(std::vector(graph.begin(), graph.end()), (std::vector{first, a, b, c}));
}

void TestGraph::replaceInputTouchesEveryReference() {
    Graph graph;
    const NodeId x = graph.append(make("x", {}, Opcode::placeholder));
    const NodeId y = graph.append(make("y", {}, Opcode::placeholder));
    const NodeId use = graph.append(make("use", {ref(x), ArgumentList{ArgumentList::Kind::list, {ref(x), ref(y)}}}));
    graph.append(make("other", {ref(x)}));
    const auto mark = graph.mark();
    graph.replace_input(use, x, y);
    QCOMPARE(graph.inputs(use), std::vector{y});
    QCOMPARE(graph.user_count(x), 1U);
    QCOMPARE(graph.node(use).args[0].node(), y);
    graph.undo_to(mark);
    QCOMPARE(graph.inputs(use), (std::vector{x, y}));
    QCOMPARE(describe(graph), QString());
}

void TestGraph::freshNamesAreThoseOfFx_data() {
    // Recorded from torch.fx.graph._Namespace().create_name, called with `given` one after the other, then `candidate`.
    QTest::addColumn<QStringList>("given");
    QTest::addColumn<QString>("candidate");
    QTest::addColumn<QString>("name");
    QTest::newRow("free") << QStringList{} << "add" << "add";
    QTest::newRow("second") << QStringList{"add"} << "add" << "add_1";
    QTest::newRow("number is kept") << QStringList{} << "add_5" << "add_5";
    QTest::newRow("goes on from the last given") << QStringList{"add", "add_7", "add_3"} << "add" << "add_4";
    QTest::newRow("numbered and taken") << QStringList{"add", "add_1"} << "add_1" << "add_2";
    QTest::newRow("builtin") << QStringList{} << "sum" << "sum_1";
    QTest::newRow("builtin again") << QStringList{"sum_1"} << "sum" << "sum_2";
    QTest::newRow("keyword") << QStringList{} << "lambda" << "lambda_1";
    QTest::newRow("torch's own") << QStringList{} << "device" << "device_1";
    QTest::newRow("characters") << QStringList{} << "a.b::c" << "a_b_c";
    QTest::newRow("digit first") << QStringList{} << "1x" << "_1x";
    QTest::newRow("empty") << QStringList{} << "" << "_unnamed";
    QTest::newRow("underscore and digits only") << QStringList{"_1"} << "_1" << "_1_1";
    QTest::newRow("trailing underscore") << QStringList{"copy__default"} << "copy__default" << "copy__default_1";
    QTest::newRow("two numbers") << QStringList{"a_1_2"} << "a_1_2" << "a_1_3";
}

void TestGraph::freshNamesAreThoseOfFx() {
    QFETCH(QStringList, given);
    QFETCH(QString, candidate);
    Graph graph;
    for (const QString& name : given) graph.append(make(name.toStdString()));
    QTEST(QString::fromStdString(graph.fresh_name(candidate.toStdString())), "name");
}

void TestGraph::namesOfErasedNodesStayUsed() {
    Graph graph;
    const NodeId x = graph.append(make("x"));
    const auto mark = graph.mark();
    graph.erase(x);
    QCOMPARE(graph.find("x"), no_node);
    QCOMPARE(graph.fresh_name("x"), std::string("x_1"));
    QVERIFY(!graph.contains(x));
    graph.undo_to(mark);
    QCOMPARE(graph.find("x"), x);
    graph.undo_to(0);
    QCOMPARE(graph.fresh_name("x"), std::string("x"));
    QCOMPARE(graph.size(), 0U);
}

void TestGraph::copyIsIndependent() {
    Graph graph;
    RandomEditor editor(7);
    graph.append(make("x"));
    for (int i = 0; i < 60; ++i) editor.edit(graph);
    const Graph copy = graph;
    const Snapshot before = snapshot(graph);
    QVERIFY(snapshot(copy) == before);
    QCOMPARE(copy.mark(), 0U);
    graph.undo_to(0);
    QVERIFY(snapshot(copy) == before);
    QCOMPARE(describe(copy), QString());
}

void TestGraph::randomEditsUndoExactly() {
    for (unsigned seed = 0; seed < 200; ++seed) {
        Graph graph;
        RandomEditor editor(seed);
        graph.append(make("x"));
        std::vector<std::pair<Graph::Mark, Snapshot>> kept;
        for (int i = 0; i < 120; ++i) {
            if (editor.pick(10) == 0) kept.emplace_back(graph.mark(), snapshot(graph));
            if (!kept.empty() && editor.pick(25) == 0) { // back to an earlier state and on from there
                graph.undo_to(kept.back().first);
                QVERIFY(snapshot(graph) == kept.back().second);
                kept.pop_back();
            }
            editor.edit(graph);
            QCOMPARE(describe(graph), QString());
        }
        for (; !kept.empty(); kept.pop_back()) {
            graph.undo_to(kept.back().first);
            QVERIFY2(snapshot(graph) == kept.back().second, qPrintable(QString("seed %1").arg(seed)));
        }
    }
}

void TestGraph::manyInsertionsAtOnePlaceKeepTheOrder() {
    // Labels run out between two neighbours after some thirty insertions: relabelling has to come in.
    Graph graph;
    const NodeId first = graph.append(make("first"));
    const NodeId last = graph.append(make("last"));
    std::vector<NodeId> expected{first};
    for (int i = 0; i < 2000; ++i) expected.push_back(graph.insert_before(last, make("n" + std::to_string(i))));
    std::vector<NodeId> reversed;
    for (int i = 0; i < 2000; ++i)
        reversed.push_back(graph.insert_after(expected.back(), make("m" + std::to_string(i))));
    expected.insert(expected.end(), reversed.rbegin(), reversed.rend());
    expected.push_back(last);
    QCOMPARE(std::vector(graph.begin(), graph.end()), expected);
    for (std::size_t i = 1; i < expected.size(); ++i) QVERIFY(graph.is_before(expected[i - 1], expected[i]));
}

void TestGraph::malformedGraphsAreReported() {
    const auto reasons = [](const Graph& graph) {
        QStringList found;
        for (const Error& error : verify(graph)) found << QString::fromStdString(error.place + " " + error.reason);
        return found;
    };
    Graph order;
    const NodeId x = order.append(make("x", {}, Opcode::placeholder));
    const NodeId add = order.append(make("add", {ref(x)}));
    order.append(make("mul", {ref(add)}));
    order.move_before(add, no_node);
    QCOMPARE(reasons(order), QStringList{"%mul uses %add before its definition"});

    Graph self;
    self.append(make("loop", {ref(NodeId{0})}));
    QCOMPARE(reasons(self), QStringList{"%loop uses %loop before its definition"});

    Graph missing;
    missing.append(make("add", {ref(NodeId{9})}));
    QCOMPARE(reasons(missing), QStringList{"%add refers to a node that is not in the graph"});

    Graph shape;
    shape.append(make("out", {}, Opcode::output));
    shape.append(make("y", {}, Opcode::placeholder));
    shape.append(make("y"));
    QCOMPARE(reasons(shape), (QStringList{"%y comes after the output", "%y is a placeholder after other nodes",
                                          "%y has the name of an earlier node", "%y comes after the output"}));
}

QTEST_APPLESS_MAIN(TestGraph)
#include "test_graph.moc"
