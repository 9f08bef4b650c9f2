// The panel of IR levels: what the graph is and why, the tree down to nodes, the page, filters, steps and undo, nested
// graphs.
#include <QAbstractItemModelTester>
#include <QLabel>
#include <QLineEdit>
#include <QTextBrowser>
#include <QToolButton>
#include <QTreeView>
#include <QtTest>

#include "core/analysis/level.h"
#include "tests/window/window_fixture.h"
#include "ui/appearance/empty_state.h"
#include "ui/appearance/theme.h"
#include "ui/graph_view/graph_view.h"
#include "ui/level/level_model.h"
#include "ui/main_window/panel_dock.h"

using namespace inspector;

namespace {

const QByteArray mixed_text = "def forward(self, x: \"f32[4, 4][4, 1]cpu\", w: \"f32[4, 4][4, 1]cpu\"):\n"
                              "    c: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.linear.default(x, w)\n"
                              "    s: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.silu.default(c)\n"
                              "    t: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.silu.default(s)\n"
                              "    m = torch.ops.mylib.scale.default(t, 2.0)\n"
                              "    a: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.mul.Tensor(s, 2)\n"
                              "    p: \"f32[4, 4][4, 1]cpu\" = torch.nn.functional.relu(a)\n    return (p, m)\n";
const QByteArray chain_text = "def forward(self, x: \"f32[4][1]cpu\"):\n"
                              "    a: \"f32[4][1]cpu\" = torch.ops.aten.mul.Tensor(x, 2)\n"
                              "    b: \"f32[4][1]cpu\" = torch.ops.aten.neg.default(a)\n"
                              "    c: \"f32[4][1]cpu\" = torch.ops.aten.neg.default(b)\n    return (c,)\n";

} // namespace

class TestLevelPanel : public WindowFixture {
    Q_OBJECT
private Q_SLOTS:
    void init();
    void cleanup();
    void nothingIsOpen();
    void saysWhatTheGraphIs_data();
    void saysWhatTheGraphIs();
    void theTreeIsTheReport_data();
    void theTreeIsTheReport();
    void choosingANodeSelectsItEverywhere();
    void keysWalkTheTree();
    void anOperatorsPage();
    void aMissingMetaKernel();
    void filtering();
    void stepsAndUndo();
    void nestedGraphs();
    void hiddenItFollowsWhenShown();

private:
    void open(const QString& path) {
        QCOMPARE(openAndWait(window_->document(), path), QString());
        QTest::keyClick(window_.get(), Qt::Key_L, Qt::ControlModifier);
        QVERIFY(dock()->isVisible());
        QCoreApplication::processEvents();
    }
    static QString pair(const char* path) { return QStringLiteral(TEST_DATA "/pairs/") + QString::fromUtf8(path); }
    PanelDock* dock() const { return window_->dock(QStringLiteral("level")); }
    QTreeView* tree() const { return window_->findChild<QTreeView*>(QStringLiteral("levelTree")); }
    QString sentence() const {
        QTextDocument plain;
        plain.setHtml(window_->findChild<QLabel*>(QStringLiteral("levelSentence"))->text());
        return plain.toPlainText().replace(QChar(0xA0), QLatin1Char(' '));
    }
    QTextBrowser* browser() const { return window_->findChild<QTextBrowser*>(QStringLiteral("levelPage")); }
    QString page() const { return browser()->toPlainText(); }
    /// "Against Core ATen/composite/aten.linear.default/%c" for every row.
    QStringList paths(const QModelIndex& parent = {}, const QString& before = {}) const {
        QStringList found;
        for (int row = 0; row < tree()->model()->rowCount(parent); ++row) {
            const QModelIndex index = tree()->model()->index(row, 0, parent);
            const QString path = before + index.data().toString();
            found << path << paths(index, path + QLatin1Char('/'));
        }
        return found;
    }
    QModelIndex row(const QString& path) const {
        QModelIndex found;
        for (const QString& name : path.split(QLatin1Char('/'))) {
            QModelIndex next;
            for (int i = 0; i < tree()->model()->rowCount(found); ++i)
                if (tree()->model()->index(i, 0, found).data().toString() == name)
                    next = tree()->model()->index(i, 0, found);
            if (!next.isValid()) return {};
            found = next;
        }
        return found;
    }
    void click(const QModelIndex& index) {
        for (QModelIndex above = index.parent(); above.isValid(); above = above.parent()) tree()->expand(above);
        tree()->scrollTo(index);
        QTest::mouseClick(tree()->viewport(), Qt::LeftButton, {}, tree()->visualRect(index).center());
    }
};

void TestLevelPanel::init() { makeWindow(QSize(1280, 800)); }

void TestLevelPanel::cleanup() { dropWindow(); }

void TestLevelPanel::nothingIsOpen() {
    QVERIFY(!window_->actions()[QStringLiteral("level.show")]->isEnabled());
    dock()->reveal();
    const auto* empty = tree()->findChild<EmptyState*>();
    QVERIFY(empty && empty->isVisible());
    QVERIFY(empty->text().contains(QStringLiteral("Open a graph")));
    QVERIFY(!window_->findChild<QLabel*>(QStringLiteral("levelSentence"))->isVisible());
    QVERIFY(!tree()->accessibleName().isEmpty() && !browser()->accessibleName().isEmpty());
}

void TestLevelPanel::saysWhatTheGraphIs_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("reason");
    QTest::newRow("training") << pair("cnn-train/training.pt2") << "3 operators write an argument";
    QTest::newRow("functional") << pair("nested-cond/functional.pt2") << "1 operator is not tagged core";
    QTest::newRow("core") << exampleSource(QStringLiteral("transformer-layer.pt2")) << "every operator is tagged core";
}

void TestLevelPanel::saysWhatTheGraphIs() {
    QFETCH(QString, file);
    QFETCH(QString, reason);
    open(file);
    const NestedLevel found = find_level(*document().program(), 0);
    QVERIFY2(sentence().contains(reason), qPrintable(sentence()));
    const std::string name(level_name(found.level));
    const QString bold = QStringLiteral("<b>%1</b>").arg(QString::fromStdString(name));
    QVERIFY(window_->findChild<QLabel*>(QStringLiteral("levelSentence"))->text().contains(bold));
    document().select(no_node);
    QVERIFY2(page().contains(QStringLiteral("The levels, lowest first")), qPrintable(page()));
    QVERIFY(page().contains(QStringLiteral("the graph is here")));
}

void TestLevelPanel::theTreeIsTheReport_data() {
    QTest::addColumn<QString>("file");
    for (const char* name : {"cnn-train/training.pt2", "cnn-eval/functional.pt2", "nested-while/training.pt2",
                             "mutating-00003/training.pt2"})
        QTest::newRow(name) << pair(name);
    QTest::newRow("example") << exampleSource(QStringLiteral("transformer-layer.pt2"));
}

/// Every operator stands where the core library says, with exactly its nodes.
void TestLevelPanel::theTreeIsTheReport() {
    QFETCH(QString, file);
    open(file);
    auto* model = window_->findChild<LevelModel*>();
    QVERIFY(model);
    const QAbstractItemModelTester tester(model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const NestedLevel found = find_level(*document().program(), 0);
    int operators = 0;
    for (const NestedLevel::Use& use : found.operators) {
        const QString name = QString::fromStdString(short_name(use));
        QString path = QStringLiteral("Against no level/") + name;
        if (use.obstacle)
            path = QStringLiteral("Against %1/%2/%3")
                       .arg(QString::fromUtf8(level_name(stands_against(*use.obstacle)).data()),
                            QString::fromUtf8(kind_name(*use.obstacle).data()), name);
        const QModelIndex at = row(path);
        QVERIFY2(at.isValid(), qPrintable(path));
        QCOMPARE(at.siblingAtColumn(LevelModel::nodes_column).data().toULongLong(), use.places.size());
        QCOMPARE(std::size_t(tree()->model()->rowCount(at)), use.places.size());
        for (std::size_t i = 0; i < use.places.size(); ++i) {
            const ProgramGraph& graph = document().program()->graphs[use.places[i].graph];
            const QString node =
                QStringLiteral("%") + QString::fromStdString(graph.graph.node(use.places[i].node).name);
            const QString shown = tree()->model()->index(int(i), 0, at).data().toString();
            QVERIFY2(shown == node || shown == QString::fromStdString(graph.id) + QLatin1Char(':') + node,
                     qPrintable(shown));
        }
        ++operators;
    }
    for (const QString& path : paths())
        if (path.startsWith(QStringLiteral("Against")) && !path.contains(QLatin1Char('%')) &&
            path.contains(QLatin1Char('.')))
            --operators;
    QCOMPARE(operators, 0);
}

void TestLevelPanel::choosingANodeSelectsItEverywhere() {
    open(pair("cnn-train/training.pt2"));
    click(row(QStringLiteral("Against functional ATen/mutating/aten.relu_.default/%relu__1")));
    const NodeId relu = nodeNamed(document(), "relu__1");
    QCOMPARE(document().selected(), relu);
    QCOMPARE(document().focused(), relu);
    QVERIFY(window_->findChild<QTextBrowser*>(QStringLiteral("decisionPage"))
                ->toPlainText()
                .contains(QStringLiteral("%relu__1")));
    // And the other way: what is chosen elsewhere stands out here.
    const NodeId conv = nodeNamed(document(), "conv2d_2");
    document().select(conv);
    QCOMPARE(tree()->currentIndex(), row(QStringLiteral("Against Core ATen/composite/aten.conv2d.default/%conv2d_2")));
    QVERIFY(tree()->visualRect(tree()->currentIndex()).intersects(tree()->viewport()->rect()));
    // An operator's nodes stand out on the canvas.
    click(row(QStringLiteral("Against functional ATen/mutating/aten.mul_.Tensor")));
    QCOMPARE(document().highlighted(), (std::vector{nodeNamed(document(), "mul_"), nodeNamed(document(), "mul__1"),
                                                    nodeNamed(document(), "mul__2"), nodeNamed(document(), "mul__3")}));
    QCOMPARE(document().selected(), conv);
    // A placeholder calls nothing.
    document().select(nodeNamed(document(), "x"));
    QVERIFY(!tree()->currentIndex().isValid());
}

void TestLevelPanel::keysWalkTheTree() {
    open(write(QStringLiteral("mixed.py"), mixed_text));
    const QModelIndex silu = row(QStringLiteral("Against Core ATen/not core/aten.silu.default"));
    click(silu);
    QVERIFY(!tree()->isExpanded(silu));
    QTest::keyClick(tree(), Qt::Key_Right);
    QVERIFY(tree()->isExpanded(silu));
    QTest::keyClick(tree(), Qt::Key_Down);
    QCOMPARE(document().selected(), nodeNamed(document(), "s"));
    QTest::keyClick(tree(), Qt::Key_Down);
    QCOMPARE(document().selected(), nodeNamed(document(), "t"));
}

void TestLevelPanel::anOperatorsPage() {
    open(write(QStringLiteral("mixed.py"), mixed_text));
    QVERIFY2(sentence().contains(QStringLiteral("1 callee is no operator")), qPrintable(sentence()));
    click(row(QStringLiteral("Against Core ATen/composite/aten.linear.default")));
    for (const char* words :
         {"Against Core ATen: composite", "aten::linear(Tensor input, Tensor weight, Tensor? bias=None)",
          "made of other operators", "aten.linear.out", "%c"})
        QVERIFY2(page().contains(QString::fromUtf8(words)),
                 qPrintable(QString::fromUtf8(words) + QStringLiteral(" is not in\n") + page()));
    click(row(QStringLiteral("Against no level/aten.mul.Tensor")));
    for (const char* words :
         {"belongs to Core ATen", "core, pointwise", "aten.mul_.Tensor", "aten.mul.out", "this one"})
        QVERIFY2(page().contains(QString::fromUtf8(words)),
                 qPrintable(QString::fromUtf8(words) + QStringLiteral(" is not in\n") + page()));
    click(row(QStringLiteral("Against training/not an operator/torch.nn.functional.relu")));
    QVERIFY(page().contains(QStringLiteral("Against training")));
    click(row(QStringLiteral("Against Core ATen/not core")));
    QVERIFY(page().contains(QStringLiteral("does not have the tag core")));
    click(row(QStringLiteral("Against Core ATen")));
    QVERIFY(page().contains(QStringLiteral("core set that backends implement")));
    // Links go to nodes.
    click(row(QStringLiteral("Against Core ATen/not core/aten.silu.default")));
    Q_EMIT browser()->anchorClicked(QUrl(QStringLiteral("node:%1").arg(index_of(nodeNamed(document(), "t")))));
    QCOMPARE(document().selected(), nodeNamed(document(), "t"));
}

void TestLevelPanel::aMissingMetaKernel() {
    open(write(QStringLiteral("mixed.py"), mixed_text));
    const QModelIndex scale = row(QStringLiteral("Without meta kernel/mylib.scale.default"));
    QVERIFY2(scale.isValid(), qPrintable(paths().join(QLatin1Char('\n'))));
    click(scale);
    QVERIFY2(
        page().contains(QStringLiteral("the schema of mylib::scale is not known; load the library that defines it")),
        qPrintable(page()));
    QVERIFY2(page().contains(QStringLiteral("The file gives no layout of its nodes either")), qPrintable(page()));
    click(row(QStringLiteral("Without meta kernel")));
    QVERIFY(page().contains(QStringLiteral("Nothing here computes")));
}

void TestLevelPanel::filtering() {
    open(pair("cnn-train/training.pt2"));
    auto* text = window_->findChild<QLineEdit*>(QStringLiteral("levelFilter"));
    text->setFocus();
    QTest::keyClicks(text, QStringLiteral("relu__1"));
    QCOMPARE(paths(),
             (QStringList{QStringLiteral("Against functional ATen"), QStringLiteral("Against functional ATen/mutating"),
                          QStringLiteral("Against functional ATen/mutating/aten.relu_.default"),
                          QStringLiteral("Against functional ATen/mutating/aten.relu_.default/%relu__1")}));
    text->clear();
    QTest::keyClicks(text, QStringLiteral("aten::linear"));
    QCOMPARE(paths().size(), 4); // an operator with its nodes
    text->clear();
    QTest::keyClicks(text, QStringLiteral("nothing has this"));
    const auto* empty = tree()->findChild<EmptyState*>();
    QVERIFY(empty->isVisible());
    QVERIFY(empty->text().contains(QStringLiteral("matches the filter")));
    text->clear();
    const auto has = [this](const char* beginning) {
        const QStringList all = paths();
        return std::ranges::any_of(all,
                                   [&](const QString& path) { return path.startsWith(QString::fromUtf8(beginning)); });
    };
    QTest::keyClicks(text, QStringLiteral("pt2_compliant_tag"));
    QVERIFY(has("Against Core ATen/composite"));
    text->clear();
    QCOMPARE(openAndWait(document(), exampleSource(QStringLiteral("transformer-layer.pt2"))), QString());
    QVERIFY(has("Against no level"));
    QTest::mouseClick(window_->findChild<QToolButton*>(QStringLiteral("levelObstaclesOnly")), Qt::LeftButton);
    QVERIFY(paths().isEmpty());
    QVERIFY(empty->isVisible());
    QVERIFY2(empty->text().contains(QStringLiteral("Nothing stands against a level")), qPrintable(empty->text()));
    QTest::keyClicks(text, QStringLiteral("add"));
    QVERIFY(empty->isVisible());
    QVERIFY2(empty->text().contains(QStringLiteral("No obstacle matches the filter")), qPrintable(empty->text()));
}

/// Rewrites make a functional graph one that writes; undo makes it functional again.
void TestLevelPanel::stepsAndUndo() {
    open(write(QStringLiteral("chain.py"), chain_text));
    const QStringList before = paths();
    QVERIFY(sentence().contains(QStringLiteral("every operator is tagged core")));
    tree()->collapse(row(QStringLiteral("Against no level")));
    window_->document().runToEnd();
    QVERIFY2(sentence().contains(QStringLiteral("1 operator writes an argument")), qPrintable(sentence()));
    QVERIFY2(sentence().contains(QStringLiteral("as read it was Core ATen")), qPrintable(sentence()));
    QCOMPARE(tree()->model()->rowCount(row(QStringLiteral("Against functional ATen/mutating/aten.neg_.default"))), 2);
    QVERIFY(!row(QStringLiteral("Against no level/aten.neg.default")).isValid());
    QVERIFY(tree()->isExpanded(row(QStringLiteral("Against functional ATen"))));
    QVERIFY(!tree()->isExpanded(row(QStringLiteral("Against no level"))));
    QTest::keyClick(window_.get(), Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(paths(), before);
    QVERIFY(!sentence().contains(QStringLiteral("as read")));
    QTest::keyClick(window_.get(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(row(QStringLiteral("Against functional ATen/mutating/aten.neg_.default")).isValid());
}

void TestLevelPanel::nestedGraphs() {
    open(pair("nested-cond/training.pt2"));
    QString nested;
    for (const QString& path : paths())
        if (path.contains(QStringLiteral(":%"))) nested = path;
    QVERIFY2(!nested.isEmpty(), qPrintable(paths().join(QLatin1Char('\n'))));
    const QString name = nested.section(QLatin1Char('%'), -1);
    const NodeId before = document().selected();
    click(row(nested));
    QCOMPARE(document().selected(), before); // it is in another graph
    QSignalSpy shown(&document(), &Document::graphShown);
    QTest::keyClick(tree(), Qt::Key_Return);
    QVERIFY(!shown.isEmpty() || shown.wait(30'000));
    QVERIFY(document().graphIndex() > 0);
    QCOMPARE(document().selected(), nodeNamed(document(), name.toUtf8().constData()));
}

void TestLevelPanel::hiddenItFollowsWhenShown() {
    open(write(QStringLiteral("chain.py"), chain_text));
    dock()->hide();
    document().runToEnd();
    QCOMPARE(tree()->model()->rowCount(), 0); // nobody looks
    dock()->reveal();
    QTRY_VERIFY(row(QStringLiteral("Against functional ATen/mutating/aten.neg_.default")).isValid());
    // Another palette, other colours.
    applyTheme(Theme::dark);
    QTRY_VERIFY(window_->findChild<QLabel*>(QStringLiteral("levelSentence"))
                    ->text().contains(themeColours(window_->palette()).muted.name()));
    applyTheme(Theme::light);
}

QTEST_MAIN(TestLevelPanel)
#include "test_level_panel.moc"
