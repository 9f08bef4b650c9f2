// The torch-fx policy decides every recorded case as torch.fx.passes.reinplace did, and leaves the same graph.
#include <QtTest>

#include "core/graph/print.h"
#include "core/graph/verify.h"
#include "core/passes/reinplace/session.h"
#include "reference_cases.h"

using namespace inspector;

class TestTorchFxParity : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void decides_data();
    void decides();
    void aliasesThatNobodyAnnotates_data();
    void aliasesThatNobodyAnnotates();
};

void TestTorchFxParity::decides_data() {
    QTest::addColumn<QString>("name");
    for (const std::string& name : reference::names()) QTest::newRow(name.c_str()) << QString::fromStdString(name);
    QVERIFY(reference::names().size() >= 200);
}

namespace {

QString text(const std::vector<std::string>& items) {
    QStringList list;
    for (const std::string& item : items) list << QString::fromStdString(item);
    return list.join(' ');
}

/// Nodes that the recording took out before it ran the pass: operators that return nothing and that nobody uses.
Graph without_void_nodes(const ReinplaceSession& session) {
    Graph graph = session.graph();
    for (const Decision& decision : session.decisions())
        if (decision.reason == Reason::result_is_void && !graph.has_users(decision.node)) graph.erase(decision.node);
    return graph;
}

} // namespace

void TestTorchFxParity::decides() {
    QFETCH(QString, name);
    const auto loaded = reference::load(name.toStdString());
    QVERIFY2(loaded, loaded ? "" : loaded.error().message().c_str());
    auto started = ReinplaceSession::start(loaded->graph, {"torch-fx", {}, {}, {}});
    QVERIFY(started);
    ReinplaceSession& session = **started;
    session.run_to_end();

    std::size_t compared = 0;
    bool raised = false;
    for (std::uint32_t i = 0; i < session.decisions().size(); ++i) {
        const Decision decision = session.complete(i);
        raised |= decision.verdict == Verdict::upstream_raises;
        const std::string& node = session.original().node(decision.node).name;
        const auto recorded = loaded->decisions.find(node);
        if (recorded == loaded->decisions.end()) continue;
        ++compared;
        const QByteArray context = QByteArray::fromStdString(node);
        QVERIFY2(decision.target == recorded->second.target, context);
        QVERIFY2(text_id(decision.verdict) == recorded->second.verdict, context);
        QVERIFY2(text_id(decision.check) == recorded->second.check, context);
        if (decision.detail != recorded->second.detail)
            QCOMPARE(text(decision.detail), node.c_str() + (": " + text(recorded->second.detail)));
        if (decision.check == CheckId::later_use) {
            std::vector<std::string> blocking;
            for (const Witness& witness : decision.witnesses)
                if (witness.role == WitnessRole::later_use)
                    blocking.push_back(session.original().node(witness.node).name);
            std::ranges::sort(blocking);
            QCOMPARE(text(blocking), text(recorded->second.detail));
        }
    }
    QCOMPARE(compared, loaded->decisions.size());
    QVERIFY(raised || !loaded->upstream_raised);
    QVERIFY(verify(session.graph()).empty());
    if (loaded->after)
        QCOMPARE(QString::fromStdString(print_fx(without_void_nodes(session))), QString::fromStdString(*loaded->after));
}

void TestTorchFxParity::aliasesThatNobodyAnnotates_data() {
    QTest::addColumn<QByteArray>("body"); // c is a clone of x: f32[4], t a token; n is decided, and r is returned too
    QTest::addColumn<QByteArray>("expected");
    const QByteArray used = "kept/later_use", written = "reinplaced/inplace_variant";
    const auto of_view = [&](const char* name, const QByteArray& call, const QByteArray& expected) {
        QTest::newRow(name) << "    v = torch.ops.aten._neg_view.default(c)\n" + call + "    n = torch.ops.aten.mul.Scalar(c, 2)\n" << expected;
    };
    of_view("atleast_1d of a lazy view", "    r = torch.ops.aten.atleast_1d.default(v)\n", used);
    of_view("type_as of a lazy view", "    r = torch.ops.aten.type_as.default(v, x)\n", used);
    of_view("dropout that does not train of a lazy view", "    r = torch.ops.aten.dropout.default(v, 0.5, False)\n", used);
    of_view("conj_physical of a lazy view", "    r = torch.ops.aten.conj_physical.default(v)\n", used);
    of_view("einsum of a lazy view", "    r = torch.ops.aten.einsum.default('i->i', [v])\n", used);
    of_view("broadcast_tensors of a lazy view",
            "    b = torch.ops.aten.broadcast_tensors.default([v, x])\n    r: \"f32[4][1]cpu\" = b[0]\n", used);
    of_view("native_dropout copies a lazy view",
            "    b = torch.ops.aten.native_dropout.default(v, 0.5, False)\n    r: \"f32[4][1]cpu\" = b[0]\n", written);
    const auto add = [&](const char* name, const QByteArray& call, const QByteArray& expected) {
        QTest::newRow(name) << call + "    n = torch.ops.aten.relu.default(c)\n" << expected;
    };
    for (const char* arguments : {"c, 0.5, False", "c, p = 0.5, train = False", "c, p = 0.0, train = True", "c, 2.0, train = False", "c, 0.5, None"})
        add(arguments, QByteArray("    b = torch.ops.aten.native_dropout.default(") + arguments + ")\n    r: \"f32[4][1]cpu\" = b[0]\n", used);
    add("it trains", "    b = torch.ops.aten.native_dropout.default(c, p = 0.5, train = True)\n    r: \"f32[4][1]cpu\" = b[0]\n", written);
    add("to the same device", "    r = torch.ops.aten._to_copy.default(c, device = device(type='cpu'))\n", used);
    add("to the same device, pinned", "    r = torch.ops.aten._to_copy.default(c, device = device(type='cpu'), pin_memory = False)\n", used);
    add("to a type", "    r = torch.ops.aten._to_copy.default(c, dtype = torch.float32, device = device(type='cpu'))\n", written);
    add("to nothing", "    r = torch.ops.aten._to_copy.default(c)\n", written);
    add("lift", "    r = torch.ops.aten.lift.default(c)\n", written);
    add("a token that is returned", "    r = torch.ops.aten._functional_assert_async.msg(x, 'm', c)\n", used);
    add("a token that is returned, of a range", "    r = torch.ops.aten._functional_sym_constrain_range.default(2, None, None, c)\n", used);
    add("what is asserted is not returned", "    r = torch.ops.aten._functional_assert_async.msg(c, 'm', x)\n", written);
}

/// As torch 2.13's pass decided these.
void TestTorchFxParity::aliasesThatNobodyAnnotates() {
    QFETCH(QByteArray, body);
    QFETCH(QByteArray, expected);
    const auto program = read_fx_text("def forward(self, x: \"f32[4][1]cpu\"):\n    c = torch.ops.aten.clone.default(x)\n" +
                                      body.toStdString() + "    return (n, r)\n");
    QVERIFY(program);
    const auto session = ReinplaceSession::start(program->graphs[0], {.policy = "torch-fx", .first = {}, .choices = {}, .donated = {}});
    (*session)->run_to_end();
    for (const Decision& decision : (*session)->decisions())
        if ((*session)->original().node(decision.node).name == "n")
            QCOMPARE(QByteArray::fromStdString(std::string(text_id(decision.verdict)) + "/" + std::string(text_id(decision.check))), expected);
}

QTEST_APPLESS_MAIN(TestTorchFxParity)
#include "test_torch_fx_parity.moc"
