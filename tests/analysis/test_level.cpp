#include <optional>
#include <utility>
#include <vector>

#include <QtTest>

#include "core/analysis/level.h"

using namespace inspector;

class TestLevel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theHighestThatNoNodeStandsAgainst_data();
    void theHighestThatNoNodeStandsAgainst();
    void obstaclesNameTheirNodes();
    void arithmeticOnTensorsIsPython();
    void theLowestOfWhatIsNested();
};

namespace {

void append(Graph& graph, Opcode opcode, std::string name, std::string target, std::vector<Argument> args) {
    Node node;
    node.opcode = opcode;
    node.name = std::move(name);
    node.target = std::move(target);
    node.args = std::move(args);
    graph.append(std::move(node));
}

/// One call of each target on the input; ".view" is a method.
Graph graph_of(const QStringList& targets) {
    Graph graph;
    append(graph, Opcode::placeholder, "x", "x", {});
    const NodeReference x{graph.first()};
    for (int i = 0; i < targets.size(); ++i) {
        const bool is_method = targets[i].startsWith('.');
        append(graph, is_method ? Opcode::call_method : Opcode::call_function, "n" + std::to_string(i),
               targets[i].mid(is_method ? 1 : 0).toStdString(), {x});
    }
    append(graph, Opcode::output, "output", "output", {x});
    return graph;
}

} // namespace

void TestLevel::theHighestThatNoNodeStandsAgainst_data() {
    QTest::addColumn<QStringList>("targets");
    QTest::addColumn<QString>("level");
    QTest::newRow("empty") << QStringList{} << "Core ATen";
    QTest::newRow("core") << QStringList{"torch.ops.aten.add.Tensor", "operator.getitem", "torch.ops.aten.sym_size.int"} << "Core ATen";
    QTest::newRow("assertion") << QStringList{"torch.ops.aten._assert_tensor_metadata.default"} << "Core ATen";
    QTest::newRow("control flow") << QStringList{"torch.ops.higher_order.cond"} << "Core ATen";
    QTest::newRow("size arithmetic") << QStringList{"operator.mul", "math.floor", "torch.sym_max"} << "Core ATen";
    QTest::newRow("not core") << QStringList{"torch.ops.aten.add.Tensor", "torch.ops.aten.silu.default"} << "functional ATen";
    QTest::newRow("custom") << QStringList{"torch.ops.mylib.scale.default"} << "functional ATen";
    QTest::newRow("prims") << QStringList{"torch.ops.prims.convert_element_type.default"} << "functional ATen";
    QTest::newRow("in place") << QStringList{"torch.ops.aten.add_.Tensor"} << "training";
    QTest::newRow("composite") << QStringList{"torch.ops.aten.linear.default"} << "functional ATen";
    QTest::newRow("function") << QStringList{"torch.nn.functional.relu", "torch.ops.aten.add_.Tensor"} << "not ATen";
    QTest::newRow("method") << QStringList{".view"} << "not ATen";
}

void TestLevel::theHighestThatNoNodeStandsAgainst() {
    QFETCH(QStringList, targets);
    QFETCH(QString, level);
    QCOMPARE(QString::fromUtf8(level_name(find_level(graph_of(targets)).level).data()), level);
}

void TestLevel::obstaclesNameTheirNodes() {
    const LevelReport report = find_level(
        graph_of({"torch.ops.aten.silu.default", "torch.ops.aten.add.Tensor", "torch.ops.aten.copy_.default", ".view"}));
    QCOMPARE(report.obstacles.size(), 3U);
    using Kind = LevelObstacle::Kind;
    const std::vector<std::pair<std::uint32_t, Kind>> expected{{1, Kind::not_core}, {3, Kind::mutating}, {4, Kind::not_an_operator}};
    for (std::size_t i = 0; i < expected.size(); ++i) {
        QCOMPARE(index_of(report.obstacles[i].node), expected[i].first);
        QCOMPARE(report.obstacles[i].kind, expected[i].second);
    }
}

void TestLevel::arithmeticOnTensorsIsPython() {
    Graph graph = graph_of({"operator.add"});
    const NodeId add = graph.find("n0");
    QCOMPARE(find_level(graph).level, Level::core_aten);
    graph.set_meta(add, TensorMeta{});
    QCOMPARE(find_level(graph).level, Level::not_aten);
}

void TestLevel::theLowestOfWhatIsNested() {
    const auto program = [](std::vector<std::pair<QStringList, std::optional<std::size_t>>> graphs) {
        Program made;
        for (auto& [targets, parent] : graphs) {
            made.graphs.emplace_back();
            made.graphs.back().graph = graph_of(targets);
            made.graphs.back().parent = parent;
        }
        return made;
    };
    const Program nested = program({{{"torch.ops.aten.add.Tensor"}, std::nullopt},
                                    {{"torch.ops.aten.silu.default"}, std::nullopt},
                                    {{}, 0},
                                    {{}, 1},
                                    {{"torch.ops.aten.add_.Tensor"}, 2}});
    const std::vector<Level> levels{Level::training, Level::functional_aten, Level::training, Level::core_aten,
                                    Level::training};
    QCOMPARE(find_levels(nested), levels);
    const Nesting nesting(nested);
    for (std::size_t i = 0; i < levels.size(); ++i) {
        const NestedLevel alone = find_level(nested, i), one_of_many = find_level(nested, i, nesting);
        QCOMPARE(alone.level, levels[i]);
        QCOMPARE(nesting.within(i), graphs_within(nested, i));
        QCOMPARE(one_of_many.level, alone.level);
        QCOMPARE(one_of_many.own_level, alone.own_level);
        QVERIFY(one_of_many.operators == alone.operators);
    }
}

QTEST_APPLESS_MAIN(TestLevel)
#include "test_level.moc"
