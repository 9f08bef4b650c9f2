// Compile logs in the window: the panel of compiles, one click opens a graph, two stand side by side, pasting, folders.
#include <QClipboard>
#include <QComboBox>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTimer>
#include <QTreeWidget>
#include <QtTest>

#include "core/graph/print.h"
#include "tests/window/opened_document.h"
#include "ui/compile_log/comparison_model.h"
#include "ui/compile_log/comparison_panel.h"
#include "ui/compile_log/compile_log_panel.h"
#include "ui/compile_log/line_alignment.h"
#include "ui/graph_view/graph_view.h"
#include "ui/main_window/main_window.h"
#include "ui/main_window/message_bar.h"
#include "ui/main_window/panel_dock.h"

using namespace inspector;

class TestCompileLog : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs); }
    void init();
    void cleanup();

    void linesAreAligned_data();
    void linesAreAligned();
    void compilesAndTheirGraphs();
    void oneClickOpensAGraph();
    void clicksGoBackToGraphsThatWereWorkedOn();
    void unreadGraphsAreReadWhenOpened();
    void nestedGraphsStandBelowTheirParent();
    void foldersAreBrowsed();
    void inductorsWordsStandBesideOurs();
    void twoGraphsSideBySide();
    void comparisonFollowsTheFile();
    void pasteOpensAGraph();
    void pasteGoesToATextFieldThatHasTheFocus();
    void pasteSaysWhatIsWrong();
    void foldersByMenuAndDrop();
    void emptyPanels();

private:
    void open(const QString& path);
    Document& document() const { return window_->document(); }
    QTreeWidget* tree() const {
        window_->dock(QStringLiteral("compiles"))->reveal();
        return window_->findChild<QTreeWidget*>(QStringLiteral("compileLog"));
    }
    QTreeWidgetItem* row(const QString& text, int which = 0) const {
        return tree()->findItems(text, Qt::MatchExactly | Qt::MatchRecursive).value(which);
    }
    void click(QTreeWidgetItem* item, Qt::KeyboardModifiers modifiers = {}) {
        QVERIFY(item);
        tree()->scrollToItem(item);
        QTest::mouseClick(tree()->viewport(), Qt::LeftButton, modifiers, tree()->visualItemRect(item).center());
    }
    const ComparisonModel& comparison() const {
        return *qobject_cast<ComparisonPanel*>(window_->dock(QStringLiteral("comparison"))->panel())->model();
    }

    std::unique_ptr<QTemporaryDir> folder_;
    std::unique_ptr<QSettings> settings_;
    std::unique_ptr<MainWindow> window_;
};

namespace {

QString traceLog(const char* name) { return QStringLiteral(TEST_DATA "/trace_log/%1.log").arg(QString::fromUtf8(name)); }
QString textLog(const char* name) { return QStringLiteral(TEST_DATA "/fx_text/%1").arg(QString::fromUtf8(name)); }

QByteArray contents(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Rows by depth: ["compile 0/0", "> dynamo_output_graph", …].
QStringList outline(const QTreeWidgetItem* item, int depth = 0) {
    QStringList rows;
    for (int i = 0; i < item->childCount(); ++i) {
        rows << QString(depth, QLatin1Char('>')) + QString(depth > 0 ? 1 : 0, QLatin1Char(' ')) + item->child(i)->text(0);
        rows << outline(item->child(i), depth + 1);
    }
    return rows;
}

} // namespace

void TestCompileLog::init() {
    folder_ = std::make_unique<QTemporaryDir>();
    settings_ = std::make_unique<QSettings>(folder_->filePath(QStringLiteral("settings.ini")), QSettings::IniFormat);
    window_ = std::make_unique<MainWindow>(settings_.get());
    window_->resize(1280, 800);
    window_->show();
    QVERIFY(QTest::qWaitForWindowActive(window_.get()));
}

void TestCompileLog::cleanup() {
    window_.reset();
    settings_.reset();
    folder_.reset();
}

void TestCompileLog::open(const QString& path) {
    QSignalSpy opened(&document(), &Document::opened);
    window_->openFile(path);
    QVERIFY(opened.count() > 0 || opened.wait(30'000));
    QTRY_VERIFY_WITH_TIMEOUT(window_->canvas()->picture().hasLayout(), 30'000);
}

void TestCompileLog::linesAreAligned_data() {
    QTest::addColumn<QString>("before");
    QTest::addColumn<QString>("after");
    QTest::addColumn<QString>("rows"); // "=": same, "~": replaced, "-": only before, "+": only after
    QTest::newRow("same") << "abc" << "abc" << "===";
    QTest::newRow("replaced") << "abc" << "axc" << "=~=";
    QTest::newRow("added") << "ac" << "abc" << "=+=";
    QTest::newRow("removed") << "abc" << "ac" << "=-=";
    QTest::newRow("longer") << "abc" << "axyzc" << "=~++=";
    QTest::newRow("moved") << "abcd" << "bcda" << "-===+";
    QTest::newRow("nothing") << "" << "ab" << "++";
    QTest::newRow("nothing in common") << "ab" << "xyz" << "~~+";
    QTest::newRow("in between") << "abcabba" << "cbabac" << "";
}

void TestCompileLog::linesAreAligned() {
    QFETCH(QString, before);
    QFETCH(QString, after);
    QFETCH(QString, rows);
    const auto lines = [](const QString& text) { return text.isEmpty() ? QStringList() : text.split(QString(), Qt::SkipEmptyParts); };
    QString found;
    int left = 0;
    int right = 0;
    int same = 0;
    for (const AlignedRow& row : alignLines(lines(before), lines(after))) {
        if (row.before >= 0) QCOMPARE(row.before, left++);
        if (row.after >= 0) QCOMPARE(row.after, right++);
        if (row.isSame) QCOMPARE(before[row.before], after[row.after]);
        same += row.isSame ? 1 : 0;
        found += QLatin1Char(row.isSame ? '=' : row.before < 0 ? '+' : row.after < 0 ? '-' : '~');
    }
    QCOMPARE(left, before.size());
    QCOMPARE(right, after.size());
    if (rows.isEmpty()) QCOMPARE(same, 4); // Myers' own example
    else QCOMPARE(found, rows);
}

void TestCompileLog::compilesAndTheirGraphs() {
    open(traceLog("b_mlp_train"));
    QVERIFY(tree()->isVisible());
    QCOMPARE(outline(tree()->invisibleRootItem()),
             (QStringList{"compile 0/0", "> dynamo_output_graph", "> before_pre_grad_graph", "> after_pre_grad_graph",
                          "> aot_joint_graph", "> aot_forward_graph", "> aot_backward_graph", "> fx_graph_runnable",
                          "> before_post_grad_graph", "> inductor_post_grad_graph", "> fx_graph_runnable (backward)",
                          "> before_post_grad_graph (backward)", "> inductor_post_grad_graph (backward)"}));
    QCOMPARE(row("compile 0/0")->text(1), QStringLiteral("12 graphs"));
    QCOMPARE(row("before_post_grad_graph")->text(1), QStringLiteral("35 nodes"));
    QVERIFY(row("dynamo_output_graph")->font(0).bold());

    open(traceLog("k_compiled_autograd_aot_eager"));
    QStringList compiles;
    for (int i = 0; i < tree()->topLevelItemCount(); ++i) compiles << tree()->topLevelItem(i)->text(0);
    QCOMPARE(compiles, (QStringList{"compile 0/0_1", "compile !0", "compile !0/1/0", "compile 2/0"}));
}

void TestCompileLog::oneClickOpensAGraph() {
    open(traceLog("b_mlp_train"));
    QSignalSpy shown(&document(), &Document::graphShown);
    click(row("before_post_grad_graph (backward)"));
    QTRY_COMPARE_WITH_TIMEOUT(shown.count(), 1, 30'000);
    QCOMPARE(document().source()->id, std::string("0/0/before_post_grad_graph_1"));
    QVERIFY(row("before_post_grad_graph (backward)")->font(0).bold());
    QVERIFY(!row("dynamo_output_graph")->font(0).bold());
    QVERIFY(window_->windowTitle().contains("0/0/before_post_grad_graph_1"));
    // A folded compile stays folded.
    tree()->topLevelItem(0)->setExpanded(false);
    document().showGraph(0);
    QTRY_COMPARE_WITH_TIMEOUT(shown.count(), 2, 30'000);
    QVERIFY(!tree()->topLevelItem(0)->isExpanded());
    // Keys gather rows and open nothing.
    tree()->topLevelItem(0)->setExpanded(true);
    click(row("aot_forward_graph"), Qt::ControlModifier);
    QTest::qWait(50);
    QCOMPARE(shown.count(), 2);
}

void TestCompileLog::clicksGoBackToGraphsThatWereWorkedOn() {
    open(traceLog("b_mlp_train"));
    QSignalSpy shown(&document(), &Document::graphShown);
    int times = 0;
    for (int round = 0; round < 3; ++round) {
        for (const char* name : {"aot_backward_graph", "aot_joint_graph"}) {
            click(row(name));
            ++times;
            QTRY_COMPARE_WITH_TIMEOUT(shown.count(), times, 30'000);
            QCOMPARE(document().session()->position(), static_cast<std::uint32_t>(round));
            document().stepNode();
        }
    }
}

void TestCompileLog::unreadGraphsAreReadWhenOpened() {
    // More text than is read at once.
    QFile file(folder_->filePath(QStringLiteral("large.log")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    const QByteArray log = contents(traceLog("b_mlp_train"));
    for (int i = 0; i < 300; ++i) file.write(log);
    file.close();
    open(file.fileName());
    QCOMPARE(document().program()->graphs.size(), std::size_t{3600});
    QVERIFY(document().source()->is_read);
    QCOMPARE(row("aot_joint_graph", 150)->text(1), QStringLiteral("not read yet"));
    QSignalSpy shown(&document(), &Document::graphShown);
    click(row("aot_joint_graph", 150));
    QTRY_COMPARE_WITH_TIMEOUT(shown.count(), 1, 30'000);
    QCOMPARE(document().source()->id, std::string("0/0/aot_joint_graph_150"));
    QCOMPARE(document().session()->original().placeholders().size(), std::size_t{7});
    QCOMPARE(row("aot_joint_graph", 150)->text(1), QStringLiteral("82 nodes"));
    document().runToEnd();
    QVERIFY(document().session()->at_end());
    // Unread graphs can be compared.
    window_->dock(QStringLiteral("comparison"))->reveal();
    QVERIFY(comparison().rowCount() > 50);
}

void TestCompileLog::nestedGraphsStandBelowTheirParent() {
    open(textLog("i_control_flow.graphs.log"));
    const QStringList rows = outline(tree()->invisibleRootItem());
    QCOMPARE(rows.mid(0, 6), (QStringList{"compile 0/0", "> compiled_fn_1", ">> cond_true_1", ">>> cond_true_0", ">>> cond_false_0", ">> cond_false_1"}));
    QSignalSpy shown(&document(), &Document::graphShown);
    click(row("cond_false_1"));
    QTRY_COMPARE_WITH_TIMEOUT(shown.count(), 1, 30'000);
    QCOMPARE(document().source()->id, std::string("compiled_fn_1.cond_false_1"));
}

void TestCompileLog::foldersAreBrowsed() {
    open(QStringLiteral(TEST_DATA "/compile_debug"));
    QCOMPARE(outline(tree()->invisibleRootItem()).mid(0, 4),
             (QStringList{"model__0_backward_3.1", "> fx_graph_readable", "> fx_graph_runnable", "> fx_graph_transformed"}));
    QVERIFY(window_->windowTitle().startsWith("compile_debug › "));
}

void TestCompileLog::inductorsWordsStandBesideOurs() {
    // A log with the graph before Inductor's pass and what that pass said of it.
    QFile file(folder_->filePath(QStringLiteral("both.log")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    const QByteArray prefix = "V1129 11:12:00.850000 10147 torch/a.py:1] [0/0] [__aot_graphs] ";
    for (const char* line : {"===== Forward graph 0 =====", "class M(torch.nn.Module):", "    def forward(self, x: \"f32[32][1]cpu\"):",
                             "        mul: \"f32[32][1]cpu\" = torch.ops.aten.mul.Tensor(x, 2)",
                             "        scaled: \"f32[32][1]cpu\" = torch.ops.aten.neg.default(mul);  mul = None", "        return (scaled,)"})
        file.write(prefix + line + "\n");
    file.write("I1129 11:12:01.000000 10147 torch/b.py:2] [0/0] Reinplace for mylib::scale_ (wrapped by scaled): candidates=['x', 'y'], "
               "successfully reinplaced=['y'], remain clones=['x'], missed opportunities=['x'], missed static bytes=128.\n"
               "I1129 11:12:02.000000 10147 torch/c.py:3] [0/0] inductor reinplace_counters: defaultdict(<class 'int'>, "
               "{'missed_tensors_AUTO_FUNC_V1': 1})\n");
    file.close();
    open(file.fileName());
    QTreeWidgetItem* scaled = row("scaled");
    QVERIFY(scaled);
    QCOMPARE(scaled->text(1), QStringLiteral("mylib::scale_: candidates [x, y], reinplaced [y], missed [x], 128 bytes"));
    QCOMPARE(scaled->text(2), QStringLiteral("not decided yet"));
    QCOMPARE(row("missed_tensors_AUTO_FUNC_V1")->text(1), QStringLiteral("1"));
    document().runToEnd();
    QVERIFY2(scaled->text(2).startsWith("reinplaced: aten.neg_.default writes into %mul"), qPrintable(scaled->text(2)));
    click(scaled);
    QCOMPARE(document().selected(), nodeNamed(document(), "scaled"));
}

void TestCompileLog::twoGraphsSideBySide() {
    open(traceLog("c1_index_put"));
    auto* compare = window_->findChild<QPushButton*>(QStringLiteral("compareSelected"));
    QVERIFY(!compare->isEnabled());
    QVERIFY(compare->toolTip().contains("select two graphs"));
    click(row("inductor_post_grad_graph"), Qt::ControlModifier);
    click(row("before_post_grad_graph"), Qt::ControlModifier);
    QTRY_VERIFY_WITH_TIMEOUT(compare->isEnabled(), 30'000);
    QTest::mouseClick(compare, Qt::LeftButton);
    QVERIFY(window_->dock(QStringLiteral("comparison"))->widget()->isVisible());
    QCOMPARE(window_->findChild<QComboBox*>(QStringLiteral("comparedBefore"))->currentText(), QStringLiteral("0/0/before_post_grad_graph"));
    QCOMPARE(window_->findChild<QComboBox*>(QStringLiteral("comparedAfter"))->currentText(), QStringLiteral("0/0/inductor_post_grad_graph"));
    QStringList changed;
    for (int i = 0; i < comparison().rowCount(); ++i)
        if (!comparison().rows()[static_cast<std::size_t>(i)].isSame) {
            for (const auto column : {ComparisonModel::before_text, ComparisonModel::after_text})
                changed << comparison().index(i, column).data().toString().trimmed();
            QVERIFY(comparison().index(i, ComparisonModel::before_text).data(Qt::BackgroundRole).isValid() ||
                    comparison().index(i, ComparisonModel::after_text).data(Qt::BackgroundRole).isValid());
        }
    QVERIFY2(changed.filter("index_put: ").size() == 2, qPrintable(changed.join('\n')));
    QVERIFY2(changed.filter("copy_: ").size() == 1, qPrintable(changed.join('\n')));
    const int differences = comparison().differences();
    QVERIFY(differences > 0);
    QCOMPARE(window_->findChild<QLabel*>(QStringLiteral("comparedDifferences"))->text(),
             differences == 1 ? QStringLiteral("1 line differs") : QStringLiteral("%1 lines differ").arg(differences));
    auto* left = window_->findChild<QTreeView*>(QStringLiteral("comparedLeft"));
    const int first = comparison().changeBeside(-1, 1);
    QCOMPARE(left->currentIndex().row(), first);
    QCOMPARE(comparison().changeBeside(first, -1), comparison().changeBeside(0, -1));
}

void TestCompileLog::comparisonFollowsTheFile() {
    open(traceLog("c1_index_put"));
    QTest::keyClick(window_.get(), Qt::Key_D, Qt::ControlModifier);
    QVERIFY(window_->dock(QStringLiteral("comparison"))->widget()->isVisible());
    auto* after = window_->findChild<QComboBox*>(QStringLiteral("comparedAfter"));
    QCOMPARE(after->currentText(), QStringLiteral("0/0/before_pre_grad_graph"));
    after->setCurrentText(QStringLiteral("0/0/dynamo_output_graph"));
    QCOMPARE(comparison().differences(), 0);
    open(referenceFile("nested-cond/before.pt2"));
    QCOMPARE(after->count(), static_cast<int>(document().program()->graphs.size()));
    QVERIFY(comparison().rowCount() > 0);
    open(exampleSource("teaching.py.txt"));
    QCOMPARE(after->count(), 0);
    QCOMPARE(comparison().rowCount(), 0);
    QVERIFY(!window_->actions()["graph.compare"]->isEnabled());
    QVERIFY(window_->actions()["graph.compare"]->toolTip().contains("the file has no other graph"));
}

void TestCompileLog::pasteOpensAGraph() {
    QSignalSpy opened(&document(), &Document::opened);
    QGuiApplication::clipboard()->setText(QString::fromUtf8(contents(exampleSource("teaching.py.txt"))));
    QTest::keyClick(window_.get(), Qt::Key_V, Qt::ControlModifier);
    QVERIFY(opened.wait(30'000));
    QVERIFY(window_->windowTitle().startsWith("Pasted text[*]"));
    QVERIFY(!document().isFile());
    QVERIFY(!settings_->contains(QStringLiteral("recentFiles")));
    QVERIFY(nodeNamed(document(), "squared") != no_node);

    QGuiApplication::clipboard()->setText(QString::fromUtf8(contents(textLog("torch_logs_joint.txt"))));
    window_->actions()["edit.paste"]->trigger();
    QVERIFY(opened.wait(30'000));
    QCOMPARE(document().program()->graphs.size(), std::size_t{3});
    QCOMPARE(outline(tree()->invisibleRootItem()),
             (QStringList{"compile 0/0", "> joint_graph_0", "> forward_graph_0", "> backward_graph_0"}));
}

void TestCompileLog::pasteGoesToATextFieldThatHasTheFocus() {
    open(exampleSource("teaching.py.txt"));
    QGuiApplication::clipboard()->setText(QStringLiteral("squared"));
    auto* search = window_->findChild<QLineEdit*>(QStringLiteral("nodeSearch"));
    search->setFocus();
    QTest::keyClick(search, Qt::Key_V, Qt::ControlModifier);
    QCOMPARE(search->text(), QStringLiteral("squared"));
    QVERIFY(!document().isOpening());
    QVERIFY(document().isFile());
}

void TestCompileLog::pasteSaysWhatIsWrong() {
    QSignalSpy failed(&document(), &Document::openFailed);
    QGuiApplication::clipboard()->setText(QStringLiteral("def forward(self, x):\n    return y\n"));
    window_->actions()["edit.paste"]->trigger();
    QVERIFY(failed.wait(30'000));
    QVERIFY2(failed.first().first().toString().startsWith("Pasted text: line 2, column 12: \"y\" is used"),
             qPrintable(failed.first().first().toString()));
    QVERIFY(document().isEmpty());
    QGuiApplication::clipboard()->clear();
    window_->actions()["edit.paste"]->trigger();
    QVERIFY(window_->messageBar()->isVisible());
    QCOMPARE(window_->messageBar()->text(), QStringLiteral("There is no text on the clipboard"));
}

void TestCompileLog::foldersByMenuAndDrop() {
    QVERIFY(QDir(folder_->path()).mkpath("traces/deep"));
    QVERIFY(QFile::copy(traceLog("n_utf8_aot_eager"), folder_->filePath("traces/deep/dedicated_log_torch_trace_abcdefgh.log")));
    const QString traces = folder_->filePath("traces");
    QSignalSpy opened(&document(), &Document::opened);
    auto* timer = new QTimer(window_.get());
    connect(timer, &QTimer::timeout, timer, [timer, traces] {
        auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
        if (!dialog) return;
        timer->deleteLater();
        QCOMPARE(dialog->fileMode(), QFileDialog::Directory);
        dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))->setText(traces);
        static_cast<QDialog*>(dialog)->accept();
    });
    timer->start(20);
    QTest::keyClick(window_.get(), Qt::Key_O, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(opened.count() > 0 || opened.wait(30'000));
    QCOMPARE(document().source()->id, std::string("0/0/dynamo_output_graph"));
    QVERIFY(window_->windowTitle().startsWith("traces › 0/0/dynamo_output_graph"));

    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(folder_->filePath("traces/deep/"))});
    QDragEnterEvent enter(QPoint(50, 50), Qt::CopyAction, &data, Qt::LeftButton, {});
    QCoreApplication::sendEvent(window_.get(), &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent drop(QPointF(50, 50), Qt::CopyAction, &data, Qt::LeftButton, {});
    QCoreApplication::sendEvent(window_.get(), &drop);
    QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 2, 30'000);
    QVERIFY(window_->windowTitle().startsWith("deep › "));
}

void TestCompileLog::emptyPanels() {
    for (const char* id : {"compiles", "comparison"}) {
        PanelDock* dock = window_->dock(QString::fromUtf8(id));
        dock->reveal();
        const auto labels = dock->widget()->findChildren<QLabel*>();
        const bool says_what_to_do = std::ranges::any_of(labels, [](const QLabel* label) {
            return label->isVisible() && label->text().contains("Open a ");
        });
        QVERIFY2(says_what_to_do, id);
    }
}

QTEST_MAIN(TestCompileLog)
#include "test_compile_log.moc"
