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

QTEST_APPLESS_MAIN(TestTorchFxParity)
#include "test_torch_fx_parity.moc"
