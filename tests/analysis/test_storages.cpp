// Who lives on which storage, for how long, and what that costs.
#include <QtTest>

#include "core/analysis/memory_timeline.h"
#include "core/analysis/storages.h"
#include "core/formats/reader.h"

using namespace inspector;

class TestStorages : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void valuesAndLives();
    void memoryOverTime();

private:
    ProgramGraph graph_;
    GraphFacts facts_;
    NodeId node(const char* name) const { return graph_.graph.find(name); }
};

void TestStorages::initTestCase() {
    const auto program = read_fx_text(R"(class f(torch.nn.Module):
    def forward(self, x: "f32[4, 4][4, 1]cpu", unused: "f32[8][1]cpu"):
        add: "f32[4, 4][4, 1]cpu" = torch.ops.aten.add.Tensor(x, 1)
        select: "f32[4][1]cpu" = torch.ops.aten.select.int(add, 0, 1)
        neg: "f32[4][1]cpu" = torch.ops.aten.neg.default(select)
        cat: "f32[100][1]cpu" = torch.ops.aten.ones.default([100])
        mul: "f32[4][1]cpu" = torch.ops.aten.mul.Tensor(neg, 2)
        return (mul, x)
)");
    QVERIFY(program);
    graph_ = program->graphs.front();
    facts_ = GraphFacts::run(graph_);
}

void TestStorages::valuesAndLives() {
    const Storages storages = Storages::run(graph_.graph, facts_);
    QCOMPARE(storages.all().size(), 6U);
    for (std::size_t i = 1; i < storages.all().size(); ++i) QVERIFY(storages.all()[i - 1].id < storages.all()[i].id);

    const Storage* input = storages.of(node("x"));
    QVERIFY(input && input->is_input && input->is_output);
    QCOMPARE(input->last_use, graph_.graph.output());

    const Storage* added = storages.of(node("add"));
    QCOMPARE(storages.of(node("select")), added);
    QCOMPARE(added->values, (std::vector{node("add"), node("select")}));
    QCOMPARE(added->root, node("add"));
    QCOMPARE(added->last_use, node("neg"));
    QCOMPARE(added->bytes, 64);
    QVERIFY(!added->is_input && !added->is_output);

    QCOMPARE(storages.of(node("unused"))->last_use, no_node);
    QCOMPARE(storages.of(graph_.graph.output()), nullptr);
}

void TestStorages::memoryOverTime() {
    std::vector<std::int64_t> bytes(facts_.storage_limit(), 0);
    const Storages storages = Storages::run(graph_.graph, facts_);
    for (const Storage& storage : storages.all()) bytes[storage.id] = storage.bytes;
    const MemoryTimeline timeline = simulate_memory(
        graph_.graph, [&](NodeId id) -> std::span<const StorageId> { return facts_.storages(id); }, bytes);
    // Inputs 64 + 32 all the time; add 64 until neg; neg 16 until mul; ones 400 while it runs; mul 16 until the end.
    QCOMPARE(timeline.live_bytes, (std::vector<std::int64_t>{96, 96, 160, 160, 176, 512, 128, 112}));
    QCOMPARE(timeline.peak, 512);
    QCOMPARE(timeline.nodes.size(), graph_.graph.size());
}

QTEST_APPLESS_MAIN(TestStorages)
#include "test_storages.moc"
