// Rewrites that autograd would refuse, as torch 2.13 refuses them when the graph runs with gradients.
#include <QtTest>

#include "core/formats/reader.h"
#include "core/passes/reinplace/autograd_note.h"

using namespace inspector;

namespace {

/// The graph of `body` over x: f32[4, 4] that requires grad and y: f32[4, 4] that does not.
Program program_of(const QByteArray& body) {
    auto program = read_fx_text(("class _(torch.nn.Module):\n    def forward(self, x: \"f32[4, 4][4, 1]cpu\", y: \"f32[4, 4][4, 1]cpu\"):\n" + body).toStdString());
    if (!program) qFatal("%s", program.error().message().c_str());
    Graph& graph = program->graphs[0].graph;
    const NodeId x = graph.find("x");
    auto meta = std::get<TensorMeta>(graph.node(x).meta);
    meta.requires_grad = true;
    graph.set_meta(x, meta);
    return std::move(*program);
}

} // namespace

class TestAutogradNote : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void notes_data();
    void notes();
    void onlyOfRewrites();
};

void TestAutogradNote::notes_data() {
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QString>("node"); // forced
    QTest::addColumn<QString>("kind"); // empty: none
    QTest::addColumn<QString>("sentence");
    const QString refuses = QStringLiteral("autograd refuses it when gradients are recorded: ");
    QTest::newRow("leaf") << QByteArray("        a: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.add.Tensor(x, 1)\n        return a\n")
                          << "a" << "leaf" << refuses + "%x is a leaf that requires grad";
    QTest::newRow("no leaf") << QByteArray("        a: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.add.Tensor(y, x)\n        return a\n") << "a" << "" << "";
    QTest::newRow("view of a leaf") << QByteArray("        v: \"f32[16][1]cpu\" = torch.ops.aten.view.default(x, [16])\n"
                                                  "        a: \"f32[16][1]cpu\" = torch.ops.aten.add.Tensor(v, 1)\n        return a\n")
                                    << "a" << "view_of_leaf" << refuses + "%v is a view of %x, a leaf that requires grad";
    QTest::newRow("detached") << QByteArray("        v: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.detach.default(x)\n"
                                            "        a: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.add.Tensor(v, 1)\n        return a\n") << "a" << "" << "";
    const QByteArray split = "        m: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.mul.Tensor(GIVEN, 2)\n"
                             "        split = torch.ops.aten.split.Tensor(m, 2)\n"
                             "        piece: \"f32[2, 4][4, 1]cpu\" = split[0]\n";
    const QByteArray added = "        a: \"f32[2, 4][4, 1]cpu\" = torch.ops.aten.add.Tensor(piece, 1)\n        return a\n";
    const QByteArray of_view = "        v: \"f32[8][1]cpu\" = torch.ops.aten.view.default(piece, [8])\n"
                               "        a: \"f32[8][1]cpu\" = torch.ops.aten.add.Tensor(v, 1)\n        return a\n";
    QTest::newRow("piece of a split") << QByteArray(split).replace("GIVEN", "x") + added << "a" << "piece_of_many"
                                      << refuses + "%piece lies in one of the views that %split made together";
    QTest::newRow("view of a piece") << QByteArray(split).replace("GIVEN", "x") + of_view << "a" << "piece_of_many"
                                     << refuses + "%v lies in one of the views that %split made together";
    QTest::newRow("a piece without gradients") << QByteArray(split).replace("GIVEN", "y") + added << "a" << "" << "";
    QTest::newRow("computed") << QByteArray("        m: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.mul.Tensor(x, 2)\n"
                                            "        a: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.add.Tensor(m, 1)\n        return a\n") << "a" << "" << "";
    QTest::newRow("result of a rewrite") << QByteArray(split).replace("GIVEN", "x") +
                                                "        r: \"f32[2, 4][4, 1]cpu\" = torch.ops.aten.relu.default(piece)\n"
                                                "        a: \"f32[2, 4][4, 1]cpu\" = torch.ops.aten.add.Tensor(r, 1)\n        return a\n"
                                         << "a" << "piece_of_many" << refuses + "%piece lies in one of the views that %split made together";
}

void TestAutogradNote::notes() {
    QFETCH(QByteArray, body);
    QFETCH(QString, node);
    QFETCH(QString, kind);
    const Program program = program_of(body);
    ReinplaceSession::Options options;
    options.policy = "sound";
    auto session = ReinplaceSession::start(program.graphs[0], options);
    QVERIFY(session.has_value());
    (*session)->run_to_end();
    const auto& nodes = (*session)->decision_nodes();
    const auto place = std::ranges::find(nodes, program.graphs[0].graph.find(node.toStdString()));
    QVERIFY(place != nodes.end());
    const auto index = static_cast<std::uint32_t>(place - nodes.begin());
    if ((*session)->decisions()[index].verdict != Verdict::reinplaced) (*session)->choose(index, Choice::force);
    const Decision& decision = (*session)->decisions()[index];
    QCOMPARE(decision.verdict, Verdict::reinplaced);
    const auto note = autograd_notes(**session)[index];
    QCOMPARE(note ? QString::fromStdString(std::string(text_id(note->kind))) : QString(), kind);
    if (note) QTEST(QString::fromStdString(plain_text(explain_autograd(**session, decision, *note))), "sentence");
}

void TestAutogradNote::onlyOfRewrites() {
    const Program program = program_of("        a: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.add.Tensor(x, 1)\n        return a\n");
    ReinplaceSession::Options options;
    options.policy = "sound";
    auto session = ReinplaceSession::start(program.graphs[0], options);
    QVERIFY(session.has_value());
    QVERIFY(autograd_notes(**session).empty()); // nothing is decided
    (*session)->run_to_end();
    QVERIFY(!autograd_notes(**session)[0]);
}

QTEST_APPLESS_MAIN(TestAutogradNote)
#include "test_autograd_note.moc"
