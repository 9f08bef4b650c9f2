// Where policies differ on a graph, and the sentence that says why the other one is wrong or timid.
#include <QtTest>

#include "core/formats/reader.h"
#include "core/passes/reinplace/comparison.h"

using namespace inspector;

namespace {

Program read(const QByteArray& text) {
    auto program = read_fx_text(text.toStdString());
    if (!program) qFatal("%s", program.error().message().c_str());
    return std::move(*program);
}

/// The only graph of `body`, whose input is x: f32[4, 4].
Program program_of(const QByteArray& body) {
    return read("class _(torch.nn.Module):\n    def forward(self, x: \"f32[4, 4][4, 1]cpu\"):\n" + body);
}

} // namespace

class TestPolicyComparison : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void saysWhyUpstreamIsWrong_data();
    void saysWhyUpstreamIsWrong();
    void alikeIsNoDifference();
    void whatAPolicyDoesNotLookAtIsNotJudged();
    void everyKnownPolicyIsCompared();
    void unknownPolicyIsAnError();
    void canBeCancelled();
};

void TestPolicyComparison::saysWhyUpstreamIsWrong_data() {
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QString>("node");
    QTest::addColumn<QString>("judgement");
    QTest::addColumn<QString>("sentence");
    QTest::newRow("another view is read by the same op")
        << QByteArray("        clone: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.clone.default(x)\n"
                      "        t: \"f32[4, 4][1, 4]cpu\" = torch.ops.aten.t.default(clone)\n"
                      "        add: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.add.Tensor(clone, t)\n        return add\n")
        << "add" << "unsound"
        << "torch-fx writes into %clone, although it still reads %t, which shares memory with %clone, while it would already be "
           "writing there: wrong values";
    QTest::newRow("another shape")
        << QByteArray("        a: \"f32[16][1]cpu\" = torch.ops.aten.full.default([16], 1.0)\n"
                      "        b: \"f32[1, 16][16, 1]cpu\" = torch.ops.aten.full.default([1, 16], 1.0)\n"
                      "        add: \"f32[1, 16][16, 1]cpu\" = torch.ops.aten.add.Tensor(a, b)\n        return add\n")
        << "add" << "unsound"
        << "torch-fx writes into %a, although the result has sizes [1, 16], but %a has [16]: the call fails, or leaves a result of "
           "another shape";
    QTest::newRow("an operand twice")
        << QByteArray("        a: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.sin.default(x)\n"
                      "        square: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.mul.Tensor(a, a)\n        return square\n")
        << "square" << "timid"
        << "torch-fx is timid: it keeps the node since %a is passed to this call more than once; but the operator reads each element "
           "before it writes there, and the operands lie index by index on the same cells";
    QTest::newRow("other bytes are read later")
        << QByteArray("        a: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.sin.default(x)\n"
                      "        top: \"f32[2, 4][4, 1]cpu\" = torch.ops.aten.slice.Tensor(a, 0, 0, 2)\n"
                      "        low: \"f32[2, 4][4, 1]cpu\" = torch.ops.aten.slice.Tensor(a, 0, 2, 4)\n"
                      "        cos: \"f32[2, 4][4, 1]cpu\" = torch.ops.aten.cos.default(top)\n"
                      "        sum: \"f32[][]cpu\" = torch.ops.aten.sum.default(low)\n        return (cos, sum)\n")
        << "cos" << "timid"
        << "torch-fx is timid: it keeps the node since %sum reads %low, on the storage of %top, after this node; but none of the bytes "
           "that %sum reads is one that this node writes";
}

void TestPolicyComparison::saysWhyUpstreamIsWrong() {
    QFETCH(QByteArray, body);
    QFETCH(QString, node);
    const Program program = program_of(body);
    const auto runs = run_policies(program.graphs[0], {"torch-fx", "sound"});
    QVERIFY(runs.has_value());
    const std::vector<NodeId> differing = differing_nodes(*runs);
    QCOMPARE(differing.size(), std::size_t(1));
    QCOMPARE(QString::fromStdString(program.graphs[0].graph.node(differing.front()).name), node);
    const Judgement judgement = judge(runs->front().on(differing.front()), runs->back().on(differing.front()));
    QTEST(QString::fromStdString(std::string(text_id(judgement))), "judgement");
    QTEST(QString::fromStdString(plain_text(explain_judgement(runs->front(), runs->back(), differing.front()))), "sentence");
    QVERIFY(explain_judgement(runs->back(), runs->back(), differing.front()).empty());
}

void TestPolicyComparison::alikeIsNoDifference() {
    const Program program = program_of("        a: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.sin.default(x)\n"
                                       "        b: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.cos.default(a)\n        return b\n");
    const auto runs = run_policies(program.graphs[0], {"torch-fx", "sound"});
    QVERIFY(runs.has_value());
    QVERIFY(differing_nodes(*runs).empty());
}

void TestPolicyComparison::whatAPolicyDoesNotLookAtIsNotJudged() {
    const Program program = program_of("        a: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.sin.default(x)\n"
                                       "        b: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.cos.default(a)\n        return b\n");
    const auto runs = run_policies(program.graphs[0], {"inductor", "sound"});
    QVERIFY(runs.has_value());
    QCOMPARE(differing_nodes(*runs), std::vector{program.graphs[0].graph.find("b")});
    QCOMPARE(judge(runs->front().on(program.graphs[0].graph.find("b")), runs->back().on(program.graphs[0].graph.find("b"))), Judgement::alike);
    QVERIFY(differences_from_sound(program.graphs[0], false).empty());
}

void TestPolicyComparison::everyKnownPolicyIsCompared() {
    const Program program = program_of("        a: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.sin.default(x)\n"
                                       "        square: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.mul.Tensor(a, a)\n        return square\n");
    const std::vector<PolicyDifference> differences = differences_from_sound(program.graphs[0], false);
    const auto upstream = std::ranges::find(differences, "torch-fx", &PolicyDifference::policy);
    QVERIFY(upstream != differences.end());
    QCOMPARE(upstream->judgement, Judgement::timid);
    QCOMPARE(upstream->node, program.graphs[0].graph.find("square"));
    for (const PolicyDifference& difference : differences) {
        QVERIFY(difference.policy != "sound");
        QVERIFY(!difference.sentence.empty());
    }
}

void TestPolicyComparison::unknownPolicyIsAnError() {
    const Program program = program_of("        return x\n");
    QVERIFY(!run_policies(program.graphs[0], {"sound", "hopeful"}).has_value());
}

void TestPolicyComparison::canBeCancelled() {
    const Program program = program_of("        a: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.sin.default(x)\n"
                                       "        square: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.mul.Tensor(a, a)\n        return square\n");
    QVERIFY(differences_from_sound(program.graphs[0], true).empty());
}

QTEST_APPLESS_MAIN(TestPolicyComparison)
#include "test_policy_comparison.moc"
