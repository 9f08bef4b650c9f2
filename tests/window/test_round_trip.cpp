// The round trip in the window: three columns in step, with keys and mouse; what came back and why; refusals; files.
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QSignalSpy>
#include <QTableView>
#include <QTextBrowser>
#include <QTextDocumentFragment>
#include <QToolButton>
#include <QTreeView>
#include <QtTest>

#include "core/graph/print.h"
#include "core/passes/functionalize/functionalize.h"
#include "tests/window/window_fixture.h"
#include "ui/document/line_text.h"
#include "ui/functionalize/mutation_model.h"
#include "ui/functionalize/outcome_style.h"
#include "ui/functionalize/round_trip_model.h"
#include "ui/main_window/panel_dock.h"

using namespace inspector;

namespace {

const QByteArray scatter_text = "def forward(self, x: \"f32[4, 4][4, 1]cpu\"):\n"
                                "    c: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.clone.default(x)\n"
                                "    s: \"f32[4][1]cpu\" = torch.ops.aten.select.int(c, 0, 1)\n"
                                "    a: \"f32[4][1]cpu\" = torch.ops.aten.add_.Tensor(s, 1)\n"
                                "    n: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.neg.default(c)\n"
                                "    d: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.clone.default(x)\n"
                                "    z: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.zero_.default(d)\n    return (c, n)\n";
const QByteArray refused_text = "def forward(self, x: \"f32[4, 4][4, 1]cpu\"):\n"
                                "    c: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.clone.default(x)\n"
                                "    a: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.add_.Tensor(c, 1)\n"
                                "    r: \"f32[2][1]cpu\" = torch.ops.aten.resize_.default(c, [2])\n    return (r,)\n";

QString pair(const char* name) { return QStringLiteral(TEST_DATA "/pairs/%1/training.pt2").arg(QString::fromUtf8(name)); }

} // namespace

class TestRoundTrip : public WindowFixture {
    Q_OBJECT
private Q_SLOTS:
    void init();
    void cleanup();
    void nothingIsOpen();
    void noMutations();
    void keysStepForwardAndBack();
    void columnsAreTheGraphs_data();
    void columnsAreTheGraphs();
    void choosingACellShowsItsCounterparts();
    void thePageTellsOfTheStep();
    void whatCameBack();
    void refusal();
    void verifying();
    void exporting();
    void openingTheResult();
    void anotherGraphBeginsAnew();
    void toolTipsShowNamesAsTheyStand();

private:
    void open(const QString& path) {
        QCOMPARE(openAndWait(window_->document(), path), QString());
        QTest::keyClick(window_.get(), Qt::Key_R, Qt::ControlModifier);
        QVERIFY(dock()->isVisible());
        QTRY_VERIFY_WITH_TIMEOUT(trip().functional() != nullptr, 60'000);
    }
    PanelDock* dock() const { return window_->dock(QStringLiteral("round-trip")); }
    RoundTripSession& trip() const { return window_->roundTrip(); }
    QTableView* columns() const { return window_->findChild<QTableView*>(QStringLiteral("roundTripColumns")); }
    QTreeView* mutations() const { return window_->findChild<QTreeView*>(QStringLiteral("roundTripMutations")); }
    QString page() const { return window_->findChild<QTextBrowser*>(QStringLiteral("roundTripPage"))->toPlainText(); }
    QLabel* label(const char* name) const { return window_->findChild<QLabel*>(QString::fromUtf8(name)); }
    QStringList column(int number) const {
        QStringList lines;
        for (int row = 0; row < columns()->model()->rowCount(); ++row)
            if (const QString line = columns()->model()->index(row, number).data().toString(); !line.isEmpty()) lines << line;
        return lines;
    }
    static QStringList linesOf(const Graph& graph) {
        QStringList lines;
        for (const NodeId node : graph) lines << lineText(graph, node);
        return lines;
    }
    void click(const QModelIndex& cell) {
        columns()->scrollTo(cell);
        QTest::mouseClick(columns()->viewport(), Qt::LeftButton, {}, columns()->visualRect(cell).center());
    }
    QModelIndex cell(const QString& beginning, int number) const {
        for (int row = 0; row < columns()->model()->rowCount(); ++row)
            if (const QModelIndex index = columns()->model()->index(row, number); index.data().toString().startsWith(beginning)) return index;
        return {};
    }
};

void TestRoundTrip::init() { makeWindow(); }

void TestRoundTrip::cleanup() { dropWindow(); }

void TestRoundTrip::nothingIsOpen() {
    for (const char* id : {"trip.show", "trip.step", "trip.back", "trip.end", "trip.restart", "trip.verify", "trip.export", "trip.open"}) {
        QVERIFY2(!action(id)->isEnabled(), id);
        QVERIFY2(action(id)->toolTip().contains(QStringLiteral("no graph is open")), id);
    }
    dock()->reveal();
    QVERIFY(label("roundTripEmpty")->isVisible());
    QVERIFY(label("roundTripEmpty")->text().contains(QStringLiteral("Open a graph")));
}

void TestRoundTrip::noMutations() {
    open(exampleSource(QStringLiteral("teaching.py.txt")));
    QTRY_VERIFY_WITH_TIMEOUT(label("roundTripEmpty")->text().contains(QStringLiteral("no mutations")), 30'000);
    QVERIFY(label("roundTripEmpty")->isVisible());
    QVERIFY(!columns()->isVisible());
    QVERIFY(action("trip.step")->toolTip().contains(QStringLiteral("no node of this graph writes")));
    for (const char* id : {"trip.verify", "trip.export", "trip.open"}) {
        QVERIFY2(!action(id)->isEnabled(), id);
        QVERIFY2(action(id)->toolTip().contains(QStringLiteral("it is functional as it is")), id);
    }
}

void TestRoundTrip::keysStepForwardAndBack() {
    open(write(QStringLiteral("scatter.py"), scatter_text));
    QCOMPARE(trip().functional()->position(), 0U);
    QVERIFY(!action("trip.back")->isEnabled());
    const NodeId first = trip().functional()->mutations()[0], second = trip().functional()->mutations()[1];
    press(Qt::Key_N, Qt::ShiftModifier);
    QCOMPARE(trip().functional()->position(), 1U);
    QCOMPARE(document().selected(), first);
    QVERIFY(column(RoundTripModel::functional_column).contains(QStringLiteral("a = aten.add.Tensor(s, 1)")));
    QVERIFY(column(RoundTripModel::functional_column).contains(QStringLiteral("z = aten.zero_.default(d)")));
    press(Qt::Key_N, Qt::ShiftModifier);
    QVERIFY(trip().isAtEnd());
    QCOMPARE(document().selected(), second);
    QVERIFY(!action("trip.step")->isEnabled());
    press(Qt::Key_B, Qt::ShiftModifier);
    QCOMPARE(trip().functional()->position(), 1U);
    press(Qt::Key_Home, Qt::ShiftModifier);
    QCOMPARE(column(RoundTripModel::functional_column), column(RoundTripModel::source_column));
    press(Qt::Key_End, Qt::ShiftModifier);
    QVERIFY(trip().isAtEnd());
    QCOMPARE(document().session()->position(), 0U); // another session's keys
}

void TestRoundTrip::columnsAreTheGraphs_data() {
    QTest::addColumn<QString>("file");
    for (const char* name : {"cnn-train", "cnn-eval", "buffer-counter", "input-mutated", "buffer-cache-index", "mutating-00011", "mutating-00017"})
        QTest::newRow(name) << pair(name);
}

/// At every step, against sessions of the core that nothing of the window has touched.
void TestRoundTrip::columnsAreTheGraphs() {
    QFETCH(QString, file);
    open(file);
    const auto core = FunctionalizeSession::start(*document().program(), 0, {Epilogue::copies});
    for (;;) {
        QCOMPARE(column(RoundTripModel::source_column), linesOf(core->original()));
        QCOMPARE(column(RoundTripModel::functional_column), linesOf(core->graph()));
        if (!core->step()) break;
        press(Qt::Key_N, Qt::ShiftModifier);
    }
    ReinplaceSession::Options options;
    options.policy = "sound";
    const auto pass = ReinplaceSession::start(core->result(), options);
    (*pass)->run_to_end();
    QCOMPARE(column(RoundTripModel::reinplaced_column), linesOf((*pass)->graph()));
    const RoundTrip expected = round_trip(*core, **pass);
    QCOMPARE(std::size_t(mutations()->model()->rowCount()), expected.mutations.size());
    for (std::size_t i = 0; i < expected.mutations.size(); ++i) {
        const QModelIndex row = mutations()->model()->index(int(i), MutationModel::outcome_column);
        QCOMPARE(row.data().toString(), outcomeWord(expected.mutations[i].outcome));
        QVERIFY(!row.siblingAtColumn(MutationModel::why_column).data().toString().isEmpty());
    }
}

void TestRoundTrip::choosingACellShowsItsCounterparts() {
    open(write(QStringLiteral("scatter.py"), scatter_text));
    press(Qt::Key_End, Qt::ShiftModifier);
    const QModelIndex added = cell(QStringLiteral("select_scatter"), RoundTripModel::functional_column);
    QVERIFY(added.isValid());
    click(added);
    const NodeId mutation = trip().functional()->original().find("a");
    QCOMPARE(document().selected(), mutation);
    QCOMPARE(columns()->currentIndex(), added); // what was chosen stays chosen
    QVERIFY(cell(QStringLiteral("a ="), RoundTripModel::source_column).data(RoundTripModel::counterpart_role).toBool());
    QVERIFY(cell(QStringLiteral("a ="), RoundTripModel::functional_column).data(RoundTripModel::counterpart_role).toBool());
    QVERIFY(cell(QStringLiteral("a ="), RoundTripModel::reinplaced_column).data(RoundTripModel::counterpart_role).toBool());
    QVERIFY(!cell(QStringLiteral("s ="), RoundTripModel::source_column).data(RoundTripModel::counterpart_role).toBool());
    QVERIFY(cell(QStringLiteral("a ="), RoundTripModel::source_column).data(Qt::AccessibleTextRole).toString().contains(QStringLiteral("chosen")));
    // From elsewhere, and by arrow keys.
    document().select(trip().functional()->original().find("s"));
    QCOMPARE(columns()->currentIndex(), cell(QStringLiteral("s ="), RoundTripModel::source_column));
    columns()->setFocus();
    QTest::keyClick(columns(), Qt::Key_Down);
    QCOMPARE(document().selected(), mutation);
    QTest::keyClick(columns(), Qt::Key_Right);
    QCOMPARE(columns()->currentIndex(), cell(QStringLiteral("a ="), RoundTripModel::functional_column));
    QCOMPARE(mutations()->currentIndex().row(), 0);
    const QModelIndex other = mutations()->model()->index(1, MutationModel::mutation_column);
    QTest::mouseClick(mutations()->viewport(), Qt::LeftButton, {}, mutations()->visualRect(other).center());
    QCOMPARE(document().selected(), trip().functional()->original().find("z"));
}

void TestRoundTrip::thePageTellsOfTheStep() {
    open(write(QStringLiteral("scatter.py"), scatter_text));
    QVERIFY(page().contains(QStringLiteral("Choose a mutation")));
    document().select(trip().functional()->original().find("a"));
    QVERIFY2(page().contains(QStringLiteral("Not taken yet")), qPrintable(page()));
    auto* browser = window_->findChild<QTextBrowser*>(QStringLiteral("roundTripPage"));
    Q_EMIT browser->anchorClicked(QUrl(QStringLiteral("step:1")));
    QCOMPARE(trip().functional()->position(), 1U);
    for (const char* words : {"Mutation 1 of 2", "becomes aten.add.Tensor", "%select_scatter", "%c", "must see it", "writes it into what is viewed",
                              "%n reads %select_scatter instead of %c", "in place again"})
        QVERIFY2(page().contains(QString::fromUtf8(words)), qPrintable(QString::fromUtf8(words) + QStringLiteral(" is not in\n") + page()));
    // A link to a node that was added goes to its cell.
    const NodeId scatter = trip().functional()->graph().find("select_scatter");
    Q_EMIT browser->anchorClicked(QUrl(QStringLiteral("node:%1").arg(index_of(scatter))));
    QCOMPARE(columns()->currentIndex(), cell(QStringLiteral("select_scatter"), RoundTripModel::functional_column));
}

void TestRoundTrip::whatCameBack() {
    open(write(QStringLiteral("scatter.py"), scatter_text));
    QCOMPARE(label("roundTripSummary")->text(), QStringLiteral("2 mutations: 1 in place again, 1 dead"));
    QVERIFY(column(RoundTripModel::reinplaced_column).size() < column(RoundTripModel::source_column).size());
    press(Qt::Key_End, Qt::ShiftModifier);
    QVERIFY(column(RoundTripModel::reinplaced_column).contains(QStringLiteral("a = aten.add_.Tensor(s, 1)")));
    QVERIFY(!cell(QStringLiteral("z ="), RoundTripModel::functional_column).isValid()); // dead
}

void TestRoundTrip::refusal() {
    open(write(QStringLiteral("refused.py"), refused_text));
    QVERIFY2(page().contains(QStringLiteral("Cannot be made functional")), qPrintable(page()));
    QVERIFY2(page().contains(QStringLiteral("At %r: aten.resize_.default changes the tensor's storage itself")), qPrintable(page()));
    for (const char* id : {"trip.verify", "trip.export", "trip.open"}) QVERIFY2(!action(id)->isEnabled(), id);
    QVERIFY(column(RoundTripModel::reinplaced_column).isEmpty());
    press(Qt::Key_End, Qt::ShiftModifier);
    QVERIFY(action("trip.step")->toolTip().contains(QStringLiteral("refused")));
    QCOMPARE(document().selected(), trip().functional()->original().find("r"));
    const QModelIndex row = mutations()->model()->index(1, MutationModel::outcome_column);
    QCOMPARE(row.data().toString(), QStringLiteral("refused"));
    QVERIFY(row.siblingAtColumn(MutationModel::why_column).data().toString().contains(QStringLiteral("storage")));
    QVERIFY(column(RoundTripModel::functional_column).contains(QStringLiteral("a = aten.add.Tensor(c, 1)")));
}

void TestRoundTrip::verifying() {
    open(pair("input-mutated"));
    press(Qt::Key_V, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY_WITH_TIMEOUT(window_->roundTripVerification().report() != nullptr, 120'000);
    const EquivalenceReport& report = *window_->roundTripVerification().report();
    QCOMPARE(report.findings.size(), 2U);
    for (const EquivalenceFinding& finding : report.findings)
        QVERIFY2(finding.answer == EquivalenceFinding::Answer::equal, finding.detail.c_str());
    QVERIFY(report.outputs > 0 && report.inputs > 0 && report.calls == 2);
    QVERIFY(label("roundTripVerification")->isVisible());
    QVERIFY(label("roundTripVerification")->text().contains(QStringLiteral("equal to the source")));
}

void TestRoundTrip::exporting() {
    open(pair("input-mutated"));
    const auto expected = functionalize(*document().program(), 0, {Epilogue::copies});
    QVERIFY(window_->exportFunctionalTo(folder_->filePath(QStringLiteral("made.txt"))));
    QCOMPARE(content(QStringLiteral("made.txt")), QByteArray::fromStdString(print_fx(expected->graphs[0].graph)) + "\n");
    for (const char* ending : {"py", "json", "dot", "pt2"}) {
        const QString name = QStringLiteral("made.") + QString::fromUtf8(ending);
        QVERIFY2(window_->exportFunctionalTo(folder_->filePath(name)), ending);
        QVERIFY2(!content(name).isEmpty(), ending);
    }
    QVERIFY(!window_->exportFunctionalTo(folder_->filePath(QStringLiteral("made.xyz"))));
    QVERIFY(!window_->exportFunctionalTo(document().path()));
    const auto read = read_program(folder_->filePath(QStringLiteral("made.pt2")).toStdString());
    QVERIFY2(read, read ? "" : read.error().message().c_str());
    QCOMPARE(print_fx(read->graphs[0].graph), print_fx(expected->graphs[0].graph));
}

void TestRoundTrip::openingTheResult() {
    for (const QString& file : {pair("input-mutated"), write(QStringLiteral("scatter.py"), scatter_text)}) {
        open(file);
        const auto expected = functionalize(*document().program(), 0, {Epilogue::copies});
        QSignalSpy opened(&document(), &Document::opened);
        press(Qt::Key_R, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(!opened.isEmpty() || opened.wait(30'000));
        QVERIFY(document().path().contains(QStringLiteral("-functional")));
        QCOMPARE(print_fx(document().source()->graph), print_fx(expected->graphs[0].graph));
    }
}

void TestRoundTrip::anotherGraphBeginsAnew() {
    open(write(QStringLiteral("scatter.py"), scatter_text));
    press(Qt::Key_End, Qt::ShiftModifier);
    open(pair("buffer-counter"));
    QTRY_VERIFY_WITH_TIMEOUT(trip().functional() && trip().functional()->position() == 0, 30'000);
    QCOMPARE(column(RoundTripModel::source_column), linesOf(document().source()->graph));
    // Hidden, it costs nothing until it is shown again.
    dock()->hide();
    QCOMPARE(openAndWait(document(), exampleSource(QStringLiteral("teaching.py.txt"))), QString());
    QVERIFY(!trip().functional() && !trip().isPreparing());
    QVERIFY(action("trip.step")->toolTip().contains(QStringLiteral("the round trip is not shown")));
}

// In every panel of the window: what a tool tip says of <b>bold</b> has the brackets in it.
void TestRoundTrip::toolTipsShowNamesAsTheyStand() {
    const auto node = [](const QString& op, const QString& name, const QString& target, const QJsonArray& args) {
        const QJsonObject tensor{{"dtype", "f32"}, {"sizes", QJsonArray{4}}, {"strides", QJsonArray{1}}};
        return QJsonObject{{"op", op}, {"name", name}, {"target", target}, {"args", args},
                           {"meta", QJsonObject{{"tensor", tensor}}}};
    };
    const QString name = QStringLiteral("<b>bold</b>"), written = QStringLiteral("<b>bold</b> written");
    const QJsonObject x{{"node", "x"}}, made{{"node", name}}, changed{{"node", written}};
    const QJsonArray nodes{node("placeholder", "x", "x", {}),
                           node("call_function", name, "torch.ops.aten.clone.default", {x}),
                           node("call_function", written, "torch.ops.aten.relu_.default", {made}),
                           QJsonObject{{"op", "output"}, {"name", "output"}, {"target", "output"},
                                       {"args", QJsonArray{changed}}}};
    const QJsonObject graph{{"id", name}, {"kind", name}, {"title", name}, {"nodes", nodes}};
    const QJsonObject session{{"graph", 0}, {"policy", "sound"}, {"position", 0}};
    const QJsonObject document{{"reinplace_session", 1}, {"session", session}, {"program", QJsonObject()},
                               {"graphs", QJsonArray{graph}}};
    open(write(QStringLiteral("markup.json"), QJsonDocument(document).toJson()));

    int named = 0;
    for (const QAbstractItemView* view : window_->findChildren<QAbstractItemView*>()) {
        if (!view->model()) continue;
        const QModelIndexList all = view->model()->match(view->model()->index(0, 0), Qt::DisplayRole, QString(), -1,
                                                         Qt::MatchContains | Qt::MatchRecursive | Qt::MatchWrap);
        for (const QModelIndex& index : all) {
            for (int column = 0; column < view->model()->columnCount(index.parent()); ++column) {
                const QString tip = index.siblingAtColumn(column).data(Qt::ToolTipRole).toString();
                const QString shown =
                    Qt::mightBeRichText(tip) ? QTextDocumentFragment::fromHtml(tip).toPlainText() : tip;
                if (!shown.contains(QStringLiteral("bold"))) continue;
                ++named;
                QVERIFY2(shown.contains(name), qPrintable(view->objectName() + QStringLiteral(": ") + tip));
            }
        }
    }
    QVERIFY(named >= 6);
}

QTEST_MAIN(TestRoundTrip)
#include "test_round_trip.moc"
