#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTextBrowser>
#include <QHelpEvent>
#include <QToolButton>
#include <QToolTip>
#include <QTreeView>
#include <QtTest>

#include "tests/window/opened_document.h"
#include "ui/code/code_panel.h"
#include "ui/code/code_view.h"
#include "ui/decisions/decision_page.h"
#include "ui/decisions/decision_panel.h"
#include "ui/document/describe.h"
#include "ui/document/node_links.h"
#include "ui/graph_view/graph_content.h"
#include "ui/inspector/inspector_panel.h"
#include "ui/inspector/node_page.h"
#include "ui/node_list/node_filter.h"
#include "ui/node_list/node_list_model.h"
#include "ui/node_list/node_list_panel.h"
#include "ui/program/program_model.h"
#include "ui/program/program_panel.h"
#include "ui/storages/storage_model.h"
#include "ui/storages/storages_panel.h"

using namespace inspector;

namespace {

const auto fatal = QAbstractItemModelTester::FailureReportingMode::QtTest;

/// Texts of one column of the rows below `parent`.
QStringList column(const QAbstractItemModel& model, int column, const QModelIndex& parent = {}) {
    QStringList texts;
    for (int row = 0; row < model.rowCount(parent); ++row) texts << model.index(row, column, parent).data().toString();
    return texts;
}

QModelIndex rowWith(const QAbstractItemModel& model, const QString& text, const QModelIndex& parent = {}) {
    for (int row = 0; row < model.rowCount(parent); ++row)
        if (model.index(row, 0, parent).data().toString().contains(text)) return model.index(row, 0, parent);
    return {};
}

QString plain(const QString& html) {
    QTextDocument document;
    document.setHtml(html);
    return document.toPlainText();
}

/// Clicks the middle of the first link of these words.
void clickLink(QTextBrowser* browser, const QString& words) {
    for (int y = 0; y < browser->viewport()->height(); y += 3) {
        for (int x = 0; x < browser->viewport()->width(); x += 3) {
            if (browser->anchorAt(QPoint(x, y)).isEmpty()) continue;
            QTextCursor cursor = browser->cursorForPosition(QPoint(x, y));
            cursor.select(QTextCursor::WordUnderCursor);
            if (cursor.selectedText() != words) continue;
            QTest::mouseClick(browser->viewport(), Qt::LeftButton, {}, QPoint(x + 1, y + 1));
            return;
        }
    }
    QFAIL(qPrintable(QStringLiteral("no link of the words ") + words));
}

} // namespace

class TestPanels : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void modelsKeepTheirPromises_data();
    void modelsKeepTheirPromises();
    void nodeListShowsDecisions();
    void nodeListFilters_data();
    void nodeListFilters();
    void nodeListPutsMissesFirst();
    void nodeListFollowsAndLeadsTheSelection();
    void policiesThatDifferAreShown();
    void storagesShowWhoShares();
    void choosingAStorageHighlightsIt();
    void aFilterTakesTheChosenRowAway();
    void programShowsTheSignature();
    void programEntersAGraph();
    void codeRowsStandSideBySide();
    void codeSelectsAndFollows();
    void decisionPageTellsChecksInOrder();
    void changesThatWouldHelpAreTriedWhenAsked();
    void decisionPageWithoutDecision();
    void decisionLinksKeepTheDecision();
    void forcingNeedsAVariant();
    void inspectorShowsSchemaUsersAndSource();
    void namesAreEscaped();
    void emptyPanelsSayWhatToDo();
};

void TestPanels::modelsKeepTheirPromises_data() {
    QTest::addColumn<QString>("file");
    QTest::newRow("text") << exampleSource("teaching.py.txt");
    QTest::newRow("archive") << exampleSource("transformer-layer.pt2");
    QTest::newRow("nested") << referenceFile("nested-cond/before.pt2");
}

void TestPanels::modelsKeepTheirPromises() {
    QFETCH(QString, file);
    Document document;
    document.setPolicy(QStringLiteral("torch-fx"));
    NodeListModel nodes(&document);
    NodeFilter filter;
    filter.setSourceModel(&nodes);
    StorageModel storages(&document);
    StorageFilter storage_filter;
    storage_filter.setSourceModel(&storages);
    ProgramModel program(&document);
    std::vector<std::unique_ptr<QAbstractItemModelTester>> testers;
    for (QAbstractItemModel* model : std::initializer_list<QAbstractItemModel*>{&nodes, &filter, &storages, &storage_filter, &program})
        testers.push_back(std::make_unique<QAbstractItemModelTester>(model, fatal));

    QCOMPARE(openAndWait(document, file), QString());
    document.stepNode();
    document.toNextRewrite();
    filter.setText(QStringLiteral("a"));
    filter.setMissesFirst(true);
    storage_filter.setSharedOnly(true);
    document.runToEnd();
    filter.setText({});
    filter.setMissesFirst(false);
    storage_filter.setSharedOnly(false);
    while (document.undoStack()->canUndo()) document.undoStack()->undo();
    QCOMPARE(openAndWait(document, exampleSource("teaching.py.txt")), QString());
    QCOMPARE(nodes.rowCount(), static_cast<int>(document.session()->original().size()));
}

void TestPanels::nodeListShowsDecisions() {
    Document document;
    document.setPolicy(QStringLiteral("torch-fx"));
    NodeListModel model(&document);
    QCOMPARE(openAndWait(document, exampleSource("teaching.py.txt")), QString());
    QCOMPARE(column(model, NodeListModel::node_column).mid(0, 5),
             (QStringList{"%x", "%bias", "%patch", "%shifted", "%active"}));
    QCOMPARE(column(model, NodeListModel::number_column).mid(0, 5), (QStringList{"", "", "", "0", "1"}));
    document.runToEnd();
    const auto row = [&](const char* name, int at) {
        return model.index(model.rowOf(nodeNamed(document, name)), at).data().toString();
    };
    QCOMPARE(row("x", NodeListModel::verdict_column), QString());
    QCOMPARE(row("shifted", NodeListModel::verdict_column), QStringLiteral("missed"));
    QCOMPARE(row("shifted", NodeListModel::check_column), QStringLiteral("Input alias"));
    QCOMPARE(row("shifted", NodeListModel::bytes_column), QStringLiteral("128 B"));
    QCOMPARE(row("active", NodeListModel::verdict_column), QStringLiteral("reinplaced"));
    QCOMPARE(row("active", NodeListModel::operation_column), QStringLiteral("aten.relu_.default"));
    QCOMPARE(row("squared", NodeListModel::check_column), QStringLiteral("Argument alias"));
    QCOMPARE(row("left", NodeListModel::verdict_column), QStringLiteral("kept"));
    QCOMPARE(row("joined", NodeListModel::verdict_column), QStringLiteral("deleted"));
    QCOMPARE(row("placed", NodeListModel::verdict_column), QStringLiteral("scatter to copy"));
    QCOMPARE(row("select_int", NodeListModel::operation_column), QStringLiteral("aten.select.int"));
    QCOMPARE(row("grown", NodeListModel::check_column), QStringLiteral("Later use"));
    QCOMPARE(row("mask", NodeListModel::check_column), QStringLiteral("Metadata"));
    QCOMPARE(row("mask", NodeListModel::value_column), QStringLiteral("b8[4, 8]"));
}

void TestPanels::nodeListFilters_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QStringList>("names");
    QTest::newRow("a name") << "shif" << QStringList{"%shifted"};
    QTest::newRow("an operation") << "op:mul" << QStringList{"%scaled", "%squared"};
    QTest::newRow("name only") << "name:mask" << QStringList{"%mask"};
    QTest::newRow("both words") << "aten.slice joined" << QStringList{"%joined"};
    QTest::newRow("a verdict") << "verdict:deleted" << QStringList{"%joined"};
    QTest::newRow("a check as scripts write it") << "check:argument_alias" << QStringList{"%squared"};
    QTest::newRow("nothing") << "no such node" << QStringList();
}

void TestPanels::nodeListFilters() {
    QFETCH(QString, text);
    QFETCH(QStringList, names);
    Document document;
    document.setPolicy(QStringLiteral("torch-fx"));
    NodeListModel model(&document);
    NodeFilter filter;
    filter.setSourceModel(&model);
    QCOMPARE(openAndWait(document, exampleSource("teaching.py.txt")), QString());
    document.runToEnd();
    filter.setText(text);
    QCOMPARE(column(filter, NodeListModel::node_column), names);
}

void TestPanels::nodeListPutsMissesFirst() {
    Document document;
    document.setPolicy(QStringLiteral("torch-fx"));
    QCOMPARE(openAndWait(document, exampleSource("teaching.py.txt")), QString());
    document.runToEnd();
    NodeListPanel panel(&document);
    panel.resize(400, 500);
    panel.show();
    auto* view = panel.findChild<QTreeView*>(QStringLiteral("nodeList"));
    QTest::mouseClick(panel.findChild<QToolButton*>(QStringLiteral("missesFirst")), Qt::LeftButton);
    const QStringList verdicts = column(*view->model(), NodeListModel::verdict_column);
    const auto misses = verdicts.count(QStringLiteral("missed"));
    QVERIFY(misses >= 4);
    QCOMPARE(verdicts.mid(0, misses), QStringList(misses, QStringLiteral("missed")));
    QCOMPARE(verdicts.mid(misses).count(QStringLiteral("missed")), 0);
    // A click on a header sorts by that column again.
    const int x = view->header()->sectionViewportPosition(NodeListModel::number_column) + 5;
    QTest::mouseClick(view->header()->viewport(), Qt::LeftButton, {}, QPoint(x, 5));
    QVERIFY(!panel.findChild<QToolButton*>(QStringLiteral("missesFirst"))->isChecked());
    QCOMPARE(column(*view->model(), NodeListModel::node_column).first(), QStringLiteral("%x"));

    auto* check = panel.findChild<QComboBox*>(QStringLiteral("checkFilter"));
    check->setCurrentIndex(check->findText(QStringLiteral("Later use")));
    QCOMPARE(column(*view->model(), NodeListModel::check_column).count(QStringLiteral("Later use")), view->model()->rowCount());
    QVERIFY(view->model()->rowCount() > 0);
    check->setCurrentIndex(0);
    auto* verdict = panel.findChild<QComboBox*>(QStringLiteral("verdictFilter"));
    verdict->setCurrentIndex(verdict->findText(QStringLiteral("scatter to copy")));
    QCOMPARE(column(*view->model(), NodeListModel::node_column), QStringList{QStringLiteral("%placed")});
}

void TestPanels::nodeListFollowsAndLeadsTheSelection() {
    Document document;
    document.setPolicy(QStringLiteral("torch-fx"));
    QCOMPARE(openAndWait(document, exampleSource("teaching.py.txt")), QString());
    NodeListPanel panel(&document);
    panel.resize(400, 300);
    panel.show();
    auto* view = panel.findChild<QTreeView*>(QStringLiteral("nodeList"));
    document.select(nodeNamed(document, "mask"));
    QCOMPARE(view->currentIndex().siblingAtColumn(NodeListModel::node_column).data().toString(), QStringLiteral("%mask"));
    QVERIFY(view->viewport()->rect().contains(view->visualRect(view->currentIndex()).center()));
    QTest::keyClick(view, Qt::Key_Down);
    QCOMPARE(document.selected(), nodeNamed(document, "canvas"));
    const QModelIndex above = view->indexAbove(view->indexAbove(view->currentIndex()));
    QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, view->visualRect(above).center());
    QCOMPARE(document.selected(), nodeNamed(document, "share"));
    // A filter that hides the selected node does not change the selection, nor does stepping by it.
    panel.findChild<QLineEdit*>(QStringLiteral("nodeFilter"))->setText(QStringLiteral("shifted"));
    QCOMPARE(document.selected(), nodeNamed(document, "share"));
}

void TestPanels::policiesThatDifferAreShown() {
    Document document;
    NodeListPanel panel(&document);
    panel.resize(500, 500);
    panel.show();
    QSignalSpy compared(&document, &Document::policiesCompared);
    QCOMPARE(openAndWait(document, referenceFile(QStringLiteral("unsound-operand-transposed-self/before.py.txt"))), QString());
    QVERIFY(!compared.isEmpty() || compared.wait(30'000));
    const NodeId add = nodeNamed(document, "add");
    QCOMPARE(document.judgement(add), Judgement::unsound);
    QCOMPARE(document.judgement(nodeNamed(document, "clone")), Judgement::alike);

    auto* view = panel.findChild<QTreeView*>(QStringLiteral("nodeList"));
    QTest::mouseClick(panel.findChild<QToolButton*>(QStringLiteral("policiesDiffer")), Qt::LeftButton);
    QCOMPARE(column(*view->model(), NodeListModel::node_column), QStringList{"%add"});
    QVERIFY(column(*view->model(), NodeListModel::policies_column).constFirst().contains(QStringLiteral("torch-fx unsound")));
    QTest::mouseClick(panel.findChild<QToolButton*>(QStringLiteral("policiesDiffer")), Qt::LeftButton);
    QCOMPARE(view->model()->rowCount(), 5);
    panel.findChild<QLineEdit*>(QStringLiteral("nodeFilter"))->setText(QStringLiteral("policy:unsound"));
    QCOMPARE(column(*view->model(), NodeListModel::node_column), QStringList{"%add"});

    const QString page = plain(decisionPage(document, add, QGuiApplication::palette()));
    QVERIFY2(page.contains(QStringLiteral("Policies differ")) && page.contains(QStringLiteral("although it still reads %t")), qPrintable(page));
    QVERIFY(nodeToolTip(document, add).contains(QStringLiteral("wrong values")));
    QCOMPARE(contentOf(document).nodes[3].judgement, Judgement::unsound);
}

void TestPanels::storagesShowWhoShares() {
    Document document;
    document.setPolicy(QStringLiteral("torch-fx"));
    StorageModel model(&document);
    QCOMPARE(openAndWait(document, exampleSource("teaching.py.txt")), QString());
    const QModelIndex squared = model.indexOf(nodeNamed(document, "squared")).parent();
    QCOMPARE(column(model, StorageModel::name_column, squared), (QStringList{"%squared", "%left"}));
    QCOMPARE(column(model, StorageModel::view_of_column, squared), (QStringList{"", "%squared"}));
    QCOMPARE(column(model, StorageModel::strides_column, squared), (QStringList{"[8, 1]", "[8, 1]"}));
    QCOMPARE(column(model, StorageModel::bytes_column, squared), (QStringList{"128 B", "64 B"}));
    QCOMPARE(column(model, StorageModel::last_use_column, squared), (QStringList{"%joined", "%raised"}));
    document.runToEnd();
    const QModelIndex merged = model.indexOf(nodeNamed(document, "squared")).parent();
    QCOMPARE(column(model, StorageModel::name_column, merged), (QStringList{"%squared", "%left", "%raised", "%joined"}));
    QCOMPARE(model.indexOf(nodeNamed(document, "joined")).siblingAtColumn(StorageModel::last_use_column).data().toString(),
             QStringLiteral("erased"));
    StorageFilter filter;
    filter.setSourceModel(&model);
    filter.setText(QStringLiteral("left"));
    QCOMPARE(filter.rowCount(), 1);
    filter.setText({});
    filter.setSharedOnly(true);
    QVERIFY(filter.rowCount() > 0);
    QVERIFY(filter.rowCount() < model.rowCount());
    for (int row = 0; row < filter.rowCount(); ++row) QVERIFY(filter.rowCount(filter.index(row, 0)) > 1);
}

void TestPanels::choosingAStorageHighlightsIt() {
    Document document;
    document.setPolicy(QStringLiteral("torch-fx"));
    QCOMPARE(openAndWait(document, exampleSource("teaching.py.txt")), QString());
    StoragesPanel panel(&document);
    panel.resize(500, 400);
    panel.show();
    auto* view = panel.findChild<QTreeView*>(QStringLiteral("storageTree"));
    const NodeId before = document.selected();
    const QModelIndex storage = rowWith(*view->model(), QStringLiteral("%squared"));
    view->scrollTo(storage);
    QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, view->visualRect(storage).center());
    QCOMPARE(document.highlighted(), (std::vector{nodeNamed(document, "squared"), nodeNamed(document, "left")}));
    QCOMPARE(document.selected(), before);
    view->expand(storage);
    const QModelIndex left = view->model()->index(1, 0, storage);
    view->scrollTo(left);
    QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, view->visualRect(left).center());
    QCOMPARE(document.selected(), nodeNamed(document, "left"));
    QCOMPARE(document.highlighted().size(), std::size_t{2});
}

void TestPanels::aFilterTakesTheChosenRowAway() {
    Document document;
    QCOMPARE(openAndWait(document, QStringLiteral(TEST_DATA "/pairs/mutating-00017/training.pt2")), QString());
    document.runToEnd();
    StoragesPanel storages(&document);
    NodeListPanel nodes(&document);
    for (QWidget* panel : {static_cast<QWidget*>(&storages), static_cast<QWidget*>(&nodes)}) {
        panel->resize(500, 400);
        panel->show();
        auto* text = panel->findChild<QLineEdit*>();
        auto* view = panel->findChild<QTreeView*>();
        for (const NodeId node : document.nodes()) {
            document.select(node);
            view->expandAll();
            const int all = view->model()->rowCount();
            for (const char* name : {"add", "mul", "slice_1", "no such value"}) {
                QTest::keyClicks(text, QString::fromUtf8(name));
                QCoreApplication::processEvents();
                text->clear();
                QCOMPARE(view->model()->rowCount(), all);
            }
            QCoreApplication::processEvents();
            QCOMPARE(document.selected(), node);
        }
    }
    auto* shared = storages.findChild<QToolButton*>(QStringLiteral("sharedOnly"));
    for (const NodeId node : document.nodes()) {
        document.select(node);
        shared->click();
        QCoreApplication::processEvents();
        QCOMPARE(document.selected(), node);
    }
}

void TestPanels::programShowsTheSignature() {
    Document document;
    document.setPolicy(QStringLiteral("torch-fx"));
    ProgramModel model(&document);
    QCOMPARE(openAndWait(document, exampleSource("transformer-layer.pt2")), QString());
    const QModelIndex inputs = rowWith(model, QStringLiteral("Inputs"));
    QVERIFY(inputs.isValid());
    const QModelIndex cache = rowWith(model, QStringLiteral("%b_attention_k_cache"), inputs);
    QCOMPARE(cache.siblingAtColumn(ProgramModel::kind_column).data().toString(), QStringLiteral("buffer"));
    QCOMPARE(cache.siblingAtColumn(ProgramModel::target_column).data().toString(), QStringLiteral("attention.k_cache"));
    QCOMPARE(cache.siblingAtColumn(ProgramModel::value_column).data().toString(), QStringLiteral("f32[1, 2, 16, 8]"));
    QCOMPARE(model.node(cache), nodeNamed(document, "b_attention_k_cache"));
    const QModelIndex outputs = rowWith(model, QStringLiteral("Outputs"));
    QCOMPARE(column(model, ProgramModel::kind_column, outputs),
             (QStringList{"new value of a buffer", "new value of a buffer", "user output"}));
    QCOMPARE(model.node(model.index(0, 0, outputs)), nodeNamed(document, "slice_scatter"));
    const QModelIndex weights = rowWith(model, QStringLiteral("Weights"));
    QCOMPARE(model.rowCount(weights), 11);
    QCOMPARE(model.node(rowWith(model, QStringLiteral("gate.weight"), weights)), nodeNamed(document, "p_gate_weight"));
}

void TestPanels::programEntersAGraph() {
    Document document;
    document.setPolicy(QStringLiteral("torch-fx"));
    QCOMPARE(openAndWait(document, referenceFile("nested-cond/before.pt2")), QString());
    ProgramPanel panel(&document);
    panel.resize(700, 400);
    panel.show();
    auto* view = panel.findChild<QTreeView*>(QStringLiteral("programTree"));
    const QModelIndex root = view->model()->index(0, 0, view->model()->index(0, 0));
    const QModelIndex nested = view->model()->index(0, 0, root);
    QVERIFY(nested.isValid());
    QSignalSpy shown(&document, &Document::graphShown);
    const QPoint at = view->visualRect(nested).center();
    QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, at);
    QTest::mouseDClick(view->viewport(), Qt::LeftButton, {}, at);
    QTRY_COMPARE_WITH_TIMEOUT(shown.count(), 1, 30'000);
    QCOMPARE(document.graphIndex(), std::size_t{1});
    const QModelIndex inputs = rowWith(*view->model(), QStringLiteral("Inputs"));
    view->setCurrentIndex(view->model()->index(0, 0, inputs));
    QCOMPARE(document.selected(), document.graph()->placeholders().front());
}

void TestPanels::codeRowsStandSideBySide() {
    Document document;
    document.setPolicy(QStringLiteral("torch-fx"));
    QCOMPARE(openAndWait(document, exampleSource("teaching.py.txt")), QString());
    const CodeRows unchanged = CodeRows::run(document, true);
    QCOMPARE(unchanged.changes(), std::size_t{0});
    for (const CodeRow& row : unchanged.rows()) QCOMPARE(unchanged.textBefore(row), unchanged.textAfter(row));

    document.runToEnd();
    const CodeRows rows = CodeRows::run(document, true);
    const auto row = [&](const char* name) { return rows.rows()[static_cast<std::size_t>(rows.rowOf(nodeNamed(document, name)))]; };
    QVERIFY(rows.textBefore(row("active")).contains(QStringLiteral("aten.relu.default(shifted)")));
    QVERIFY(rows.textAfter(row("active")).contains(QStringLiteral("aten.relu_.default(shifted)")));
    QCOMPARE(row("active").change, CodeRow::Change::changed);
    QCOMPARE(row("shifted").change, CodeRow::Change::same);
    QCOMPARE(row("joined").change, CodeRow::Change::removed);
    QCOMPARE(row("joined").after, -1);
    QCOMPARE(row("select_int").change, CodeRow::Change::added);
    QCOMPARE(row("select_int").before, -1);
    // Every line of both texts stands somewhere, in order.
    int before = 0;
    int after = 0;
    for (const CodeRow& each : rows.rows()) {
        if (each.before >= 0) QCOMPARE(each.before, before++);
        if (each.after >= 0) QCOMPARE(each.after, after++);
        QVERIFY(each.before >= 0 || each.after >= 0);
    }
    QCOMPARE(rows.nextChange(-1), rows.rowOf(nodeNamed(document, "active")));
    QCOMPARE(rows.previousChange(rows.rowOf(nodeNamed(document, "scaled"))), rows.rowOf(nodeNamed(document, "active")));
    QCOMPARE(rows.previousChange(0), -1);
}

void TestPanels::codeSelectsAndFollows() {
    Document document;
    document.setPolicy(QStringLiteral("torch-fx"));
    CodePanel panel(&document);
    panel.resize(900, 160);
    panel.show();
    QCOMPARE(openAndWait(document, exampleSource("teaching.py.txt")), QString());
    CodeView* view = panel.view();
    const auto row_of = [&](const char* name) { return view->rows().rowOf(nodeNamed(document, name)); };
    document.select(nodeNamed(document, "sure"));
    QVERIFY(row_of("sure") >= view->firstVisibleRow());
    QVERIFY(row_of("sure") < view->firstVisibleRow() + view->visibleRows());
    // What is in sight does not move.
    const int first = view->firstVisibleRow();
    document.select(nodeNamed(document, "flat"));
    QCOMPARE(view->firstVisibleRow(), first);
    QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, view->rowRect(row_of("limited")).center());
    QCOMPARE(document.selected(), nodeNamed(document, "limited"));
    QTest::keyClick(view, Qt::Key_Up);
    QCOMPARE(document.selected(), nodeNamed(document, "flat"));
    QTest::keyClick(view, Qt::Key_Down);
    QCOMPARE(document.selected(), nodeNamed(document, "limited"));
    // The mouse over a name tells of that name; over anything else of the line's node.
    const QString line = view->rows().textBefore(view->rows().rows()[static_cast<std::size_t>(row_of("limited"))]);
    view->setSides(CodeView::Sides::before);
    const auto tip_at = [&](qsizetype character) {
        const QRect row = view->rowRect(row_of("limited"));
        const int x = view->textPosition(character);
        QHelpEvent help(QEvent::ToolTip, QPoint(x, row.center().y()), view->viewport()->mapToGlobal(QPoint(x, row.center().y())));
        QCoreApplication::sendEvent(view->viewport(), &help);
        return QToolTip::text();
    };
    QVERIFY2(tip_at(line.indexOf(QStringLiteral("(flat")) + 2).contains(QStringLiteral("%flat")), qPrintable(QToolTip::text()));
    QVERIFY2(tip_at(line.indexOf(QStringLiteral("limited")) + 2).contains(QStringLiteral("f32[32]")), qPrintable(QToolTip::text()));
    view->setSides(CodeView::Sides::both);
    // A placeholder stands in the line of "def forward(".
    document.select(nodeNamed(document, "bias"));
    QVERIFY(view->rows().textBefore(view->rows().rows()[static_cast<std::size_t>(row_of("bias"))]).contains(QStringLiteral("def forward(")));
    QCOMPARE(view->firstVisibleRow(), 0);
    document.runToEnd();
    document.select(nodeNamed(document, "shifted"));
    view->goToNextChange();
    QCOMPARE(document.selected(), nodeNamed(document, "active"));
    view->goToPreviousChange();
    QCOMPARE(document.selected(), nodeNamed(document, "active")); // there is none before
}

void TestPanels::decisionPageTellsChecksInOrder() {
    Document document;
    document.setPolicy(QStringLiteral("torch-fx"));
    QCOMPARE(openAndWait(document, exampleSource("teaching.py.txt")), QString());
    const NodeId grown = nodeNamed(document, "grown");
    document.toNode(grown);
    QString page = plain(decisionPage(document, grown, QGuiApplication::palette()));
    QVERIFY2(page.contains(QStringLiteral("Decision 7 · 17 in all")), qPrintable(page));
    QVERIFY(page.contains(QStringLiteral("Self stands once among the positional arguments.")));
    qsizetype at = page.indexOf(QStringLiteral("Checks"));
    for (const char* title : {"Metadata", "Input alias", "Argument alias", "Later use", "In-place variant"}) {
        const qsizetype next = page.indexOf(QString::fromUtf8(title), at);
        QVERIFY2(next > at, qPrintable(QString::fromUtf8(title) + page));
        at = next;
    }
    QVERIFY(page.count(QStringLiteral("pending")) >= 5);

    document.stepCheck();
    page = plain(decisionPage(document, grown, QGuiApplication::palette()));
    QCOMPARE(page.count(QStringLiteral("passed")), 1);
    document.stepNode();
    page = plain(decisionPage(document, grown, QGuiApplication::palette()));
    QCOMPARE(page.count(QStringLiteral("failed")), 1);
    QVERIFY(page.indexOf(QStringLiteral("failed")) > page.indexOf(QStringLiteral("Later use")));
    QVERIFY(page.contains(QStringLiteral("aten::exp(Tensor self) -> Tensor")));
    QVERIFY(page.contains(QStringLiteral("f32[4, 8]")));
    QVERIFY(page.contains(QStringLiteral("[8, 1]")));
    // The reader that forbids it: the output returns %joined.
    QCOMPARE(evidenceNodes(document, grown), std::vector{nodeNamed(document, "output")});

    document.toNextRewrite(); // share
    const NodeId share = nodeNamed(document, "share");
    QCOMPARE(document.focused(), share);
    page = plain(decisionPage(document, share, QGuiApplication::palette()));
    QVERIFY2(page.contains(QStringLiteral("aten.div.Tensor")) && page.contains(QStringLiteral("aten.div_.Tensor")), qPrintable(page));
    QVERIFY(page.contains(QStringLiteral("What changed")));
}

void TestPanels::changesThatWouldHelpAreTriedWhenAsked() {
    Document document;
    DecisionPanel panel(&document, {});
    panel.resize(420, 1400);
    panel.show();
    QCOMPARE(openAndWait(document, referenceFile(QStringLiteral("unsound-operand-transposed-self/before.py.txt"))), QString());
    const NodeId add = nodeNamed(document, "add");
    document.throughNode(add);
    QVERIFY2(panel.page()->toPlainText().contains(QStringLiteral("%add reads what was written by %clone")), qPrintable(panel.page()->toPlainText()));
    clickLink(panel.page(), QStringLiteral("Try"));
    QVERIFY2(panel.page()->toPlainText().contains(QStringLiteral("Let %add read a clone of %t")), qPrintable(panel.page()->toPlainText()));
    // Looked at again after another step, it is asked anew: choices may have changed what helps.
    document.stepBack();
    QVERIFY(!panel.page()->toPlainText().contains(QStringLiteral("Let %add read a clone of %t")));
    document.throughNode(add);
    QVERIFY(panel.page()->toPlainText().contains(QStringLiteral("Try out")));
}

void TestPanels::decisionPageWithoutDecision() {
    Document document;
    document.setPolicy(QStringLiteral("torch-fx"));
    QCOMPARE(openAndWait(document, exampleSource("teaching.py.txt")), QString());
    const QString page = plain(decisionPage(document, nodeNamed(document, "bias"), QGuiApplication::palette()));
    QVERIFY2(page.contains(QStringLiteral("No decision is made on this node")), qPrintable(page));
    QVERIFY(page.contains(QStringLiteral("%shifted"))); // what is decided next
    QVERIFY(evidenceNodes(document, nodeNamed(document, "bias")).empty());
}

void TestPanels::decisionLinksKeepTheDecision() {
    Document document;
    document.setPolicy(QStringLiteral("torch-fx"));
    DecisionPanel panel(&document, {});
    panel.resize(420, 900);
    panel.show();
    QCOMPARE(openAndWait(document, exampleSource("teaching.py.txt")), QString());
    const NodeId squared = nodeNamed(document, "squared");
    document.throughNode(squared);
    QCOMPARE(document.focused(), squared);
    clickLink(panel.page(), QStringLiteral("shifted")); // what the operand has become
    QCOMPARE(document.selected(), nodeNamed(document, "shifted"));
    QCOMPARE(document.focused(), squared);
    QVERIFY(panel.page()->toPlainText().contains(QStringLiteral("%squared")));
    clickLink(panel.page(), QStringLiteral("next"));
    QCOMPARE(document.focused(), document.session()->current());
    document.decide(document.session()->current(), Choice::skip);
    QVERIFY(panel.page()->toPlainText().contains(QStringLiteral("You chose to keep")));
    clickLink(panel.page(), QStringLiteral("Leave"));
    QVERIFY(document.session()->options().choices.empty() ||
            document.session()->choice(static_cast<std::uint32_t>(document.decisionIndex(document.focused()))) == Choice::policy);
}

void TestPanels::forcingNeedsAVariant() {
    Document document;
    document.setPolicy(QStringLiteral("torch-fx"));
    QCOMPARE(openAndWait(document, exampleSource("teaching.py.txt")), QString());
    QCOMPARE(whyNotForce(document, nodeNamed(document, "squared")), QString());
    QCOMPARE(whyNotForce(document, nodeNamed(document, "placed")), QString());
    QVERIFY(whyNotForce(document, nodeNamed(document, "left")).contains(QStringLiteral("aten.slice.Tensor")));
    QVERIFY(!whyNotForce(document, nodeNamed(document, "x")).isEmpty());
}

void TestPanels::inspectorShowsSchemaUsersAndSource() {
    Document document;
    document.setPolicy(QStringLiteral("torch-fx"));
    InspectorPanel panel(&document);
    panel.resize(700, 500);
    panel.show();
    QCOMPARE(openAndWait(document, exampleSource("teaching.py.txt")), QString());
    document.select(nodeNamed(document, "squared"));
    QString page = panel.toPlainText();
    for (const char* words : {"aten::mul.Tensor(Tensor self, Tensor other) -> Tensor", "aten.mul_.Tensor", "[4, 8]", "[8, 1]",
                              "%left, %joined", "lesson.py, line 5, in lesson", "squared = scaled * scaled"})
        QVERIFY2(page.contains(QString::fromUtf8(words)), qPrintable(QString::fromUtf8(words) + QStringLiteral(" is not in ") + page));
    document.runToEnd();
    document.select(nodeNamed(document, "joined"));
    QVERIFY(panel.toPlainText().contains(QStringLiteral("erased")));
    document.select(nodeNamed(document, "copy__default"));
    QVERIFY(panel.toPlainText().contains(QStringLiteral("The pass has made this node.")));
    document.select(nodeNamed(document, "squared"));
    clickLink(&panel, QStringLiteral("left"));
    QCOMPARE(document.selected(), nodeNamed(document, "left"));
}

void TestPanels::namesAreEscaped() {
    QVERIFY(!sentenceHtml({{"<b>", NodeId{1}}, {" & <img src=x>", no_node}}).contains(QStringLiteral("<img")));
    QCOMPARE(nodeOfLink(QUrl(QStringLiteral("node:12"))), std::optional(NodeId{12}));
    QCOMPARE(nodeOfLink(QUrl(QStringLiteral("node:x"))), std::nullopt);
    QCOMPARE(nodeOfLink(QUrl(QStringLiteral("http:12"))), std::nullopt);
}

void TestPanels::emptyPanelsSayWhatToDo() {
    Document document;
    document.setPolicy(QStringLiteral("torch-fx"));
    NodeListPanel nodes(&document);
    StoragesPanel storages(&document);
    ProgramPanel program(&document);
    for (QWidget* panel : std::initializer_list<QWidget*>{&nodes, &storages, &program}) {
        panel->show();
        bool says = false;
        for (const QLabel* label : panel->findChildren<QLabel*>())
            says |= label->isVisible() && label->text().contains(QStringLiteral("Open a graph to begin"));
        QVERIFY2(says, panel->metaObject()->className());
    }
    QVERIFY(plain(decisionPage(document, no_node, QGuiApplication::palette())).contains(QStringLiteral("Open a graph")));
    QVERIFY(plain(nodePage(document, no_node, QGuiApplication::palette())).contains(QStringLiteral("Open a graph")));
}

QTEST_MAIN(TestPanels)
#include "test_panels.moc"
