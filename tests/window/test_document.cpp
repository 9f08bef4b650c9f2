#include <QSignalSpy>
#include <QTemporaryFile>
#include <QtTest>

#include "core/graph/print.h"
#include "tests/window/opened_document.h"

using namespace inspector;

namespace {

/// Everything a person can see of a session.
struct Snapshot {
    std::string graph;
    std::uint32_t position;
    std::map<std::uint32_t, Choice> choices;
    std::vector<std::pair<std::uint32_t, Verdict>> verdicts;
    std::vector<CheckStep::State> checks;
    friend bool operator==(const Snapshot&, const Snapshot&) = default;

    static Snapshot of(const Document& document) {
        const ReinplaceSession& session = *document.session();
        Snapshot snapshot{print_fx(session.graph()), session.position(), session.options().choices, {}, {}};
        for (const Decision& decision : session.decisions())
            snapshot.verdicts.emplace_back(decision.index, decision.verdict);
        if (!session.at_end())
            for (const CheckStep& step : session.checks(session.position())) snapshot.checks.push_back(step.state);
        return snapshot;
    }
};

} // namespace

class TestDocument : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void emptyDocumentIgnoresEverything();
    void opensAndStartsAtTheFirstDecision();
    void refusalLeavesTheOpenDocument_data();
    void refusalLeavesTheOpenDocument();
    void cancellingLeavesTheOpenDocument();
    void aSecondFileReplacesTheFirstBeingOpened();
    void steppedAndRunAtOnceAreTheSame();
    void undoRestoresExactly();
    void choosingInThePastRedoesFromThere();
    void forcingTheCurrentNodeIsOneEntry();
    void throughNodeDecidesIt();
    void stepsSelectWhatTheyAreAbout();
    void evidenceDoesNotMoveTheFocus();
    void reinplacedValuesShareAStorage();
    void modifiedUntilExported();
    void anotherGraphOfTheFile();
    void graphsAreShownAsTheyWereLeft();
    void changesOfPolicyAndDonationAreUndone();
    void typesOfInputsAreUndoneAndGivenAnew();
};

void TestDocument::emptyDocumentIgnoresEverything() {
    Document document;
    QSignalSpy stepped(&document, &Document::stepped);
    document.stepCheck();
    document.stepNode();
    document.stepBack();
    document.toNextRewrite();
    document.toNextMiss();
    document.toNode(NodeId{3});
    document.throughNode(NodeId{3});
    document.runToEnd();
    document.restart();
    document.choose(NodeId{0}, Choice::force);
    document.decide(no_node, Choice::skip);
    document.showGraph(4);
    document.setPolicy(QStringLiteral("torch-fx"));
    document.markExported();
    document.cancelOpening();
    QVERIFY(document.isEmpty());
    QCOMPARE(document.policy(), QStringLiteral("torch-fx")); // of what is opened next
    QVERIFY(!document.isModified());
    QCOMPARE(stepped.count(), 0);
    QCOMPARE(document.undoStack()->count(), 0);
    QCOMPARE(document.graph(), nullptr);
    QCOMPARE(document.source(), nullptr);
    QCOMPARE(document.node(NodeId{0}), nullptr);
    QCOMPARE(document.storageOf(NodeId{0}), StorageId{0});
    QVERIFY(document.nodes().empty());
}

void TestDocument::opensAndStartsAtTheFirstDecision() {
    Document document;
    QSignalSpy progress(&document, &Document::openingChanged);
    QSignalSpy selected(&document, &Document::selectionChanged);
    QCOMPARE(openAndWait(document, exampleSource("teaching.py.txt")), QString());
    QVERIFY(!document.isOpening());
    QCOMPARE(progress.first().first().toBool(), true);
    QCOMPARE(progress.last().first().toBool(), false);
    QCOMPARE(document.session()->position(), 0U);
    QCOMPARE(document.selected(), nodeNamed(document, "shifted"));
    QCOMPARE(document.focused(), document.selected());
    QCOMPARE(selected.count(), 1);
    QCOMPARE(document.decisionIndex(nodeNamed(document, "active")), 1);
    QCOMPARE(document.decisionIndex(nodeNamed(document, "x")), -1);
    QCOMPARE(document.decision(nodeNamed(document, "active")), nullptr);
}

void TestDocument::refusalLeavesTheOpenDocument_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::newRow("no FX text") << QByteArray("a shopping list\n");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("cut archive") << QByteArray("PK\003\004 and no more");
    QTest::newRow("used before defined")
        << QByteArray("graph():\n    %a : [num_users=1] = call_function[target=torch.ops.aten.abs.default](args = (%b,), "
                      "kwargs = {})\n    return (a,)\n");
}

void TestDocument::refusalLeavesTheOpenDocument() {
    QFETCH(QByteArray, content);
    Document document;
    document.setPolicy(QStringLiteral("torch-fx"));
    QCOMPARE(openAndWait(document, exampleSource("teaching.py.txt")), QString());
    document.runToEnd();
    const Snapshot before = Snapshot::of(document);
    QTemporaryFile file;
    QVERIFY(file.open());
    file.write(content);
    file.close();
    const QString message = openAndWait(document, file.fileName());
    QVERIFY2(message.startsWith(file.fileName() + QStringLiteral(": ")), qPrintable(message));
    QVERIFY(message.size() > file.fileName().size() + 10);
    QCOMPARE(document.path(), exampleSource("teaching.py.txt"));
    QVERIFY(Snapshot::of(document) == before);
    QVERIFY(!document.isOpening());
}

void TestDocument::cancellingLeavesTheOpenDocument() {
    Document document;
    document.setPolicy(QStringLiteral("torch-fx"));
    QCOMPARE(openAndWait(document, exampleSource("teaching.py.txt")), QString());
    QSignalSpy opened(&document, &Document::opened);
    QSignalSpy failed(&document, &Document::openFailed);
    document.open(exampleSource("transformer-layer.pt2"));
    document.cancelOpening();
    QVERIFY(!document.isOpening());
    QTest::qWait(1000);
    QCOMPARE(opened.count(), 0);
    QCOMPARE(failed.count(), 0);
    QCOMPARE(document.path(), exampleSource("teaching.py.txt"));
}

void TestDocument::aSecondFileReplacesTheFirstBeingOpened() {
    Document document;
    QSignalSpy opened(&document, &Document::opened);
    document.open(exampleSource("transformer-layer.pt2"));
    QCOMPARE(openAndWait(document, exampleSource("teaching.py.txt")), QString());
    QTest::qWait(500);
    QCOMPARE(opened.count(), 1);
    QCOMPARE(document.path(), exampleSource("teaching.py.txt"));
}

void TestDocument::steppedAndRunAtOnceAreTheSame() {
    Document stepped;
    Document run;
    for (Document* document : {&stepped, &run}) QCOMPARE(openAndWait(*document, exampleSource("transformer-layer.pt2")), QString());
    while (!stepped.session()->at_end()) stepped.stepCheck();
    run.runToEnd();
    QVERIFY(Snapshot::of(stepped) == Snapshot::of(run));
    QVERIFY(summarize(*run.session()).reinplaced > 0);
}

void TestDocument::undoRestoresExactly() {
    Document document;
    document.setPolicy(QStringLiteral("torch-fx"));
    QCOMPARE(openAndWait(document, exampleSource("teaching.py.txt")), QString());
    std::vector<Snapshot> snapshots{Snapshot::of(document)};
    const auto did = [&](auto&& step) {
        step();
        snapshots.push_back(Snapshot::of(document));
    };
    did([&] { document.stepNode(); });
    did([&] { document.stepCheck(); });
    did([&] { document.stepCheck(); });
    did([&] { document.toNextRewrite(); });
    did([&] { document.toNextMiss(); });
    did([&] { document.decide(nodeNamed(document, "active"), Choice::skip); });
    did([&] { document.decide(document.session()->current(), Choice::accept); });
    did([&] { document.runToEnd(); });
    did([&] { document.stepBack(); });
    did([&] { document.decide(nodeNamed(document, "squared"), Choice::force); });
    did([&] { document.toNode(nodeNamed(document, "joined")); });
    did([&] { document.choose(nodeNamed(document, "active"), Choice::policy); });
    did([&] { document.restart(); });
    QCOMPARE(document.undoStack()->count(), static_cast<int>(snapshots.size()) - 1);

    for (std::size_t i = snapshots.size() - 1; i-- > 0;) {
        document.undoStack()->undo();
        QVERIFY2(Snapshot::of(document) == snapshots[i], qPrintable(document.undoStack()->redoText()));
    }
    QVERIFY(!document.undoStack()->canUndo());
    for (std::size_t i = 1; i < snapshots.size(); ++i) {
        document.undoStack()->redo();
        QVERIFY2(Snapshot::of(document) == snapshots[i], qPrintable(document.undoStack()->undoText()));
    }
    document.undoStack()->setIndex(3); // as a click in the history does
    QVERIFY(Snapshot::of(document) == snapshots[3]);
    document.undoStack()->setIndex(10);
    QVERIFY(Snapshot::of(document) == snapshots[10]);
}

void TestDocument::choosingInThePastRedoesFromThere() {
    Document document;
    document.setPolicy(QStringLiteral("torch-fx"));
    QCOMPARE(openAndWait(document, exampleSource("teaching.py.txt")), QString());
    document.runToEnd();
    const NodeId active = nodeNamed(document, "active");
    QCOMPARE(document.decision(active)->verdict, Verdict::reinplaced);
    document.decide(active, Choice::skip);
    QCOMPARE(document.decision(active)->verdict, Verdict::kept);
    QCOMPARE(document.decision(active)->choice, Choice::skip);
    QVERIFY(document.session()->at_end());
    QCOMPARE(document.undoStack()->undoText(), QStringLiteral("Skip active"));
    document.undoStack()->undo();
    QCOMPARE(document.decision(active)->verdict, Verdict::reinplaced);
}

void TestDocument::forcingTheCurrentNodeIsOneEntry() {
    Document document;
    document.setPolicy(QStringLiteral("torch-fx"));
    QCOMPARE(openAndWait(document, exampleSource("teaching.py.txt")), QString());
    const NodeId squared = nodeNamed(document, "squared");
    document.toNode(squared);
    QCOMPARE(document.session()->current(), squared);
    const int entries = document.undoStack()->count();
    document.decide(squared, Choice::force);
    QCOMPARE(document.undoStack()->count(), entries + 1);
    QCOMPARE(document.undoStack()->undoText(), QStringLiteral("Force squared"));
    QCOMPARE(document.decision(squared)->verdict, Verdict::reinplaced);
    QCOMPARE(document.graph()->node(squared).target, std::string("torch.ops.aten.mul_.Tensor"));
    document.undoStack()->undo();
    QCOMPARE(document.session()->current(), squared);
    QCOMPARE(document.graph()->node(squared).target, std::string("torch.ops.aten.mul.Tensor"));
    QVERIFY(document.session()->options().choices.empty());
}

void TestDocument::throughNodeDecidesIt() {
    Document document;
    document.setPolicy(QStringLiteral("torch-fx"));
    QCOMPARE(openAndWait(document, exampleSource("teaching.py.txt")), QString());
    const NodeId grown = nodeNamed(document, "grown");
    document.throughNode(grown);
    QVERIFY(document.decision(grown));
    QCOMPARE(document.decision(grown)->check, CheckId::later_use);
    QCOMPARE(document.selected(), grown);
    QCOMPARE(document.session()->decisions().back().node, grown);
}

void TestDocument::stepsSelectWhatTheyAreAbout() {
    Document document;
    document.setPolicy(QStringLiteral("torch-fx"));
    QCOMPARE(openAndWait(document, exampleSource("teaching.py.txt")), QString());
    const NodeId first = document.session()->current();
    document.stepCheck();
    QCOMPARE(document.selected(), first); // under check, or decided by it
    document.restart();
    document.stepNode();
    QCOMPARE(document.selected(), first); // the node decided, not the next one
    document.toNextRewrite();
    QCOMPARE(document.selected(), nodeNamed(document, "active"));
    document.stepBack();
    QCOMPARE(document.selected(), document.session()->current());
    QCOMPARE(document.selected(), nodeNamed(document, "active"));
    document.toNextMiss();
    QVERIFY(document.decision(document.selected()));
    QCOMPARE(document.decision(document.selected())->verdict, Verdict::kept);
    QVERIFY(document.decision(document.selected())->bytes > 0);
}

void TestDocument::evidenceDoesNotMoveTheFocus() {
    Document document;
    document.setPolicy(QStringLiteral("torch-fx"));
    QCOMPARE(openAndWait(document, exampleSource("teaching.py.txt")), QString());
    const NodeId grown = nodeNamed(document, "grown");
    const NodeId squared = nodeNamed(document, "squared");
    document.select(grown);
    QSignalSpy selected(&document, &Document::selectionChanged);
    document.followEvidence(squared);
    QCOMPARE(document.selected(), squared);
    QCOMPARE(document.focused(), grown);
    QCOMPARE(selected.count(), 1);
    document.select(squared); // the same node, now as the subject
    QCOMPARE(document.focused(), squared);
    QCOMPARE(selected.count(), 2);
    document.select(squared);
    QCOMPARE(selected.count(), 2);
}

void TestDocument::reinplacedValuesShareAStorage() {
    Document document;
    document.setPolicy(QStringLiteral("torch-fx"));
    QCOMPARE(openAndWait(document, exampleSource("teaching.py.txt")), QString());
    const auto storage = [&](const char* name) { return document.storageOf(nodeNamed(document, name)); };
    QVERIFY(storage("shifted") != 0);
    QVERIFY(storage("active") != storage("shifted"));
    QCOMPARE(storage("left"), storage("squared"));
    document.runToEnd();
    QCOMPARE(storage("active"), storage("shifted"));
    QCOMPARE(storage("scaled"), storage("shifted")); // reinplaced into what was reinplaced
    QCOMPARE(storage("raised"), storage("squared"));
    QCOMPARE(storage("joined"), storage("squared")); // deleted: its readers read the base
    QCOMPARE(storage("select_int"), storage("canvas")); // made by the pass
    QCOMPARE(storage("placed"), storage("canvas"));
    QVERIFY(storage("grown") != storage("squared"));
    document.restart();
    QVERIFY(storage("active") != storage("shifted"));
}

void TestDocument::modifiedUntilExported() {
    Document document;
    document.setPolicy(QStringLiteral("torch-fx"));
    QCOMPARE(openAndWait(document, exampleSource("teaching.py.txt")), QString());
    QSignalSpy modified(&document, &Document::modifiedChanged);
    document.stepNode(); // kept: nothing to export
    QVERIFY(!document.isModified());
    document.stepNode();
    QVERIFY(document.isModified());
    QCOMPARE(modified.count(), 1);
    document.markExported();
    QVERIFY(!document.isModified());
    document.undoStack()->undo();
    QVERIFY(document.isModified()); // other than what was exported
    document.undoStack()->redo();
    QVERIFY(!document.isModified());
    QCOMPARE(modified.count(), 4);
}

void TestDocument::anotherGraphOfTheFile() {
    Document document;
    document.setPolicy(QStringLiteral("torch-fx"));
    QCOMPARE(openAndWait(document, referenceFile("nested-cond/before.pt2")), QString());
    QVERIFY(document.program()->graphs.size() > 1);
    document.runToEnd();
    QSignalSpy shown(&document, &Document::graphShown);
    document.showGraph(1);
    QTRY_COMPARE_WITH_TIMEOUT(shown.count(), 1, 30'000);
    QCOMPARE(document.graphIndex(), std::size_t{1});
    QCOMPARE(document.source(), &document.program()->graphs[1]);
    QCOMPARE(document.session()->position(), 0U);
    QCOMPARE(print_fx(*document.graph()), print_fx(document.program()->graphs[1].graph));
    document.showGraph(99);
    QVERIFY(!document.isOpening());
}

void TestDocument::graphsAreShownAsTheyWereLeft() {
    Document document;
    QCOMPARE(openAndWait(document, referenceFile("nested-cond/before.pt2")), QString());
    document.decide(document.session()->decision_nodes().front(), Choice::skip);
    document.runToEnd();
    const Snapshot root = Snapshot::of(document);
    const NodeId selected = document.selected();
    QVERIFY(document.isModified());

    QSignalSpy shown(&document, &Document::graphShown);
    document.showGraph(1);
    QTRY_COMPARE_WITH_TIMEOUT(shown.count(), 1, 30'000);
    QVERIFY(document.isModified()); // the choice on the root is in no file
    document.stepNode();
    const Snapshot nested = Snapshot::of(document);

    document.showGraph(0);
    QTRY_COMPARE_WITH_TIMEOUT(shown.count(), 2, 30'000);
    QVERIFY(Snapshot::of(document) == root);
    QCOMPARE(document.selected(), selected);
    document.showGraph(1);
    QTRY_COMPARE_WITH_TIMEOUT(shown.count(), 3, 30'000);
    QVERIFY(Snapshot::of(document) == nested);

    // One that nothing was done on follows the policy that is chosen meanwhile.
    document.restart();
    document.showGraph(0);
    QTRY_COMPARE_WITH_TIMEOUT(shown.count(), 4, 30'000);
    document.setPolicy(QStringLiteral("torch-fx"));
    QTRY_COMPARE_WITH_TIMEOUT(document.policy(), QStringLiteral("torch-fx"), 30'000);
    document.showGraph(1);
    QTRY_COMPARE_WITH_TIMEOUT(document.graphIndex(), std::size_t{1}, 30'000);
    QCOMPARE(document.policy(), QStringLiteral("torch-fx"));

    while (document.undoStack()->canUndo()) document.undoStack()->undo();
    QCOMPARE(document.graphIndex(), std::size_t{0});
    QCOMPARE(document.policy(), QStringLiteral("sound"));
    QCOMPARE(document.session()->position(), 0U);
    QVERIFY(!document.isModified());
    while (document.undoStack()->canRedo()) document.undoStack()->redo();
    QCOMPARE(document.graphIndex(), std::size_t{1});
    QCOMPARE(document.policy(), QStringLiteral("torch-fx"));
}

void TestDocument::changesOfPolicyAndDonationAreUndone() {
    Document document;
    QCOMPARE(openAndWait(document, exampleSource(QStringLiteral("teaching.py.txt"))), QString());
    document.decide(nodeNamed(document, "grown"), Choice::force);
    document.runToEnd();
    const Snapshot sound = Snapshot::of(document);
    QSignalSpy shown(&document, &Document::graphShown);
    document.setPolicy(QStringLiteral("torch-fx"));
    QTRY_COMPARE_WITH_TIMEOUT(shown.count(), 1, 30'000);
    QCOMPARE(document.undoStack()->undoText(), QStringLiteral("Decide by torch-fx"));
    document.runToEnd();
    const Snapshot torchFx = Snapshot::of(document);
    QVERIFY(!(torchFx == sound));
    document.undoStack()->undo();
    document.undoStack()->undo();
    QCOMPARE(shown.count(), 2);
    QCOMPARE(document.policy(), QStringLiteral("sound"));
    QVERIFY(Snapshot::of(document) == sound);
    document.undoStack()->redo();
    document.undoStack()->redo();
    QVERIFY(Snapshot::of(document) == torchFx);

    const NodeId input = document.graph()->placeholders().front();
    document.setDonated(input, true);
    QTRY_VERIFY_WITH_TIMEOUT(document.isDonated(input), 30'000);
    document.undoStack()->undo();
    QVERIFY(!document.isDonated(input));
    QVERIFY(Snapshot::of(document) == torchFx);
}

void TestDocument::typesOfInputsAreUndoneAndGivenAnew() {
    Document document;
    QSignalSpy opened(&document, &Document::opened), shown(&document, &Document::graphShown);
    document.openText("def forward(self, x, y: \"f32[2, 3][3, 1]cpu\"):\n"
                      "    mul = torch.ops.aten.mul.Tensor(x, y)\n"
                      "    add = torch.ops.aten.add.Tensor(mul, y)\n    return (add,)\n",
                      QStringLiteral("pasted"));
    QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, 30'000);
    const auto type = [&](const char* name) { return annotation(document.source()->graph.node(nodeNamed(document, name)).meta, {}); };
    const NodeId x = nodeNamed(document, "x"), y = nodeNamed(document, "y");
    QVERIFY(document.canGiveType(x));
    QVERIFY(!document.canGiveType(y) && !document.giveType(y, QStringLiteral("f32[2, 3]")));
    QVERIFY(!document.giveType(x, QStringLiteral("f33[2]")));
    document.runToEnd();
    const Snapshot untyped = Snapshot::of(document);

    QVERIFY(document.giveType(x, QStringLiteral("f32[2, 3]")));
    QTRY_COMPARE_WITH_TIMEOUT(shown.count(), 1, 30'000);
    QCOMPARE(document.undoStack()->undoText(), QStringLiteral("Type of x: f32[2, 3]"));
    QCOMPARE(type("x"), std::string("f32[2, 3]"));
    document.runToEnd();
    const Snapshot typed = Snapshot::of(document);
    QVERIFY(!(typed == untyped));

    QVERIFY(document.canGiveType(x)); // a slip can be mended
    QVERIFY(document.giveType(x, QStringLiteral("f32[1, 3]")));
    QTRY_COMPARE_WITH_TIMEOUT(shown.count(), 2, 30'000);
    QCOMPARE(type("x"), std::string("f32[1, 3]"));
    document.undoStack()->undo();
    QCOMPARE(type("x"), std::string("f32[2, 3]"));
    QVERIFY(Snapshot::of(document) == typed);
    document.undoStack()->undo(); // the run
    document.undoStack()->undo();
    QVERIFY(std::holds_alternative<UnknownMeta>(document.source()->graph.node(x).meta));
    QVERIFY(Snapshot::of(document) == untyped);
    QVERIFY(document.canGiveType(x));
    while (document.undoStack()->canRedo()) document.undoStack()->redo();
    QCOMPARE(type("x"), std::string("f32[1, 3]"));
}

QTEST_MAIN(TestDocument)
#include "test_document.moc"
