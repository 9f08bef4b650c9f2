// The window driven as a person drives it: keys, clicks, dialogs.
#include <array>
#include <cstdlib>
#include <ctime>

#include <QClipboard>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSettings>
#include <QSignalSpy>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTextBrowser>
#include <QTimer>
#include <QToolBar>
#include <QToolButton>
#include <QTreeView>
#include <QUndoView>
#include <QtTest>

#include "core/formats/reader.h"
#include "core/graph/print.h"
#include "tests/window/opened_document.h"
#include "ui/appearance/theme.h"
#include "ui/decisions/decision_panel.h"
#include "ui/document/describe.h"
#include "ui/graph_view/graph_view.h"
#include "ui/main_window/action_finder.h"
#include "ui/main_window/main_window.h"
#include "ui/main_window/message_bar.h"
#include "ui/main_window/panel_dock.h"
#include "ui/node_list/node_list_model.h"

using namespace inspector;

namespace {

void save(QFileDialog* dialog, const QString& path) {
    dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))->setText(path);
    QTest::mouseClick(dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Save), Qt::LeftButton);
}

} // namespace

class TestWindow : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup();

    void nothingIsOpen();
    void everyActionIsDescribed();
    void opensAnExampleFromTheStartPage();
    void stepForceUndoRunExport();
    void exportsWhatThePassMakes_data();
    void exportsWhatThePassMakes();
    void keysOfAllSteps();
    void choicesByKeys();
    void whyNotShowsTheEvidence();
    void searchFindsANode();
    void actionFinderRunsAnAction();
    void actionsOfEditAndView();
    void themesChangeThePalette();
    void panelsAreShownHiddenAndReset();
    void layoutIsRemembered();
    void policiesCanBeChosen();
    void historyGoesBack();
    void graphsOfAFile();
    void exportsEveryFormat();
    void exportsBackIntoAnArchive();
    void exportDialogChoosesTheFormat();
    void exportTakesTheProposedName();
    void refusalIsAMessage();
    void droppedFileIsOpened();
    void openingCanBeCancelled();
    void recentFilesAreListed();
    void closingAsksAboutRewrites();
    void choicesAreNotInAnExport();
    void exportsWhatIsInNoFile();
    void namesOfFilesAreNoMarkup();
    void countsOfNodesAgree();
    void panelsKeepTheirShare();
    void tallPanelsGiveTheHeightBack();
    void tallPanelsAreRememberedLow();
    void fitsASmallScreen();
    void allPanelsFollowOneSelection();
    void stepsAreSeenInEveryPanel();
    void stepsAreQuickOnALargeGraph();

private:
    void open(const QString& path);
    void activate() {
        window_->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(window_.get()));
    }
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) { QTest::keyClick(window_.get(), key, modifiers); }
    QAction* action(const char* id) const { return window_->actions()[QString::fromUtf8(id)]; }
    NodeId node(const char* name) const { return nodeNamed(window_->document(), name); }
    Document& document() const { return window_->document(); }
    QString decisionText() const {
        return window_->findChild<QTextBrowser*>(QStringLiteral("decisionPage"))->toPlainText();
    }
    QString statusText() const { return window_->findChild<QLabel*>(QStringLiteral("statusLine"))->text(); }
    QString path(const QString& name) const { return folder_->filePath(name); }
    QByteArray content(const QString& name) const {
        QFile file(path(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    /// Does `act` with the dialog that the next action opens, once it is there.
    template <typename Dialog, typename Act> void withDialog(Act act) {
        auto* timer = new QTimer(window_.get());
        connect(timer, &QTimer::timeout, timer, [timer, act] {
            auto* dialog = qobject_cast<Dialog*>(QApplication::activeModalWidget());
            if (!dialog) return;
            timer->stop();
            timer->deleteLater();
            act(dialog);
        });
        timer->start(20);
    }

    std::unique_ptr<QTemporaryDir> folder_;
    std::unique_ptr<QSettings> settings_;
    std::unique_ptr<MainWindow> window_;
};

void TestWindow::initTestCase() {
    // The dialogs of this process, which keys reach.
    QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    QApplication::setStyle(QStringLiteral("Fusion"));
}

void TestWindow::init() {
    folder_ = std::make_unique<QTemporaryDir>();
    settings_ = std::make_unique<QSettings>(path(QStringLiteral("settings.ini")), QSettings::IniFormat);
    window_ = std::make_unique<MainWindow>(settings_.get());
    window_->resize(1280, 800);
    document().setPolicy(QStringLiteral("torch-fx")); // whose decisions and graphs are recorded
    window_->show();
    QVERIFY(QTest::qWaitForWindowActive(window_.get()));
}

void TestWindow::cleanup() {
    window_.reset();
    settings_.reset();
    folder_.reset();
}

void TestWindow::open(const QString& file) {
    QSignalSpy opened(&document(), &Document::opened);
    window_->openFile(file);
    QVERIFY(opened.count() > 0 || opened.wait(30'000));
    QTRY_VERIFY_WITH_TIMEOUT(window_->canvas()->picture().hasLayout(), 30'000);
    window_->canvas()->setFocus();
}

void TestWindow::nothingIsOpen() {
    QVERIFY(window_->findChild<QWidget*>(QStringLiteral("startPage"))->isVisible());
    QVERIFY(!window_->canvas()->isVisible());
    QCOMPARE(statusText(), QStringLiteral("No graph is open"));
    QCOMPARE(window_->windowTitle(), QStringLiteral("Reinplace Inspector"));
    for (const char* id : {"step.node", "step.end", "decide.force", "file.export", "edit.copy", "graph.next"}) {
        QVERIFY2(!action(id)->isEnabled(), id);
        QVERIFY2(action(id)->toolTip().contains(QStringLiteral("no graph is open")), id);
    }
    QVERIFY(action("file.open")->isEnabled());
    press(Qt::Key_N);
    press(Qt::Key_End);
    QVERIFY(document().isEmpty());
}

void TestWindow::everyActionIsDescribed() {
    open(exampleSource(QStringLiteral("teaching.py.txt")));
    QStringList keys;
    const std::function<void(const QList<QAction*>&, const QString&)> visit = [&](const QList<QAction*>& actions, const QString& menu) {
        for (QAction* each : actions) {
            if (each->isSeparator()) continue;
            if (each->menu()) {
                visit(each->menu()->actions(), menu + each->text() + QStringLiteral(" > "));
                continue;
            }
            const QString name = menu + each->text();
            // Files and graphs are chosen by name; everything else has a key, and its tool tip says which.
            const bool is_listed = menu.contains(QStringLiteral("xamples")) || menu.contains(QStringLiteral("recent")) ||
                                   each->objectName() == QStringLiteral("graph");
            if (!is_listed) {
                const QString key = each->shortcut().toString(QKeySequence::NativeText);
                QVERIFY2(!key.isEmpty(), qPrintable(name));
                QVERIFY2(each->toolTip().contains(key), qPrintable(name + QStringLiteral(": ") + each->toolTip()));
                for (const QKeySequence& sequence : each->shortcuts()) keys << sequence.toString();
            }
            QVERIFY2(each->toolTip().size() > 8, qPrintable(name));
            QVERIFY2(each->isEnabled() || each->toolTip().contains(QStringLiteral("Not now:")), qPrintable(name));
        }
    };
    visit(window_->menuBar()->actions(), {});
    QVERIFY(keys.size() > 40);
    QStringList unique = keys;
    unique.removeDuplicates();
    QVERIFY2(unique.size() == keys.size(), qPrintable(keys.join(QLatin1Char(' '))));
    // Every button of the tool bar stands in a menu too.
    QList<QAction*> in_menus;
    for (QAction* top : window_->menuBar()->actions()) in_menus << top->menu()->actions();
    for (QAction* each : window_->findChild<QToolBar*>(QStringLiteral("steps"))->actions())
        QVERIFY2(each->isSeparator() || each->text().isEmpty() || in_menus.contains(each), qPrintable(each->text()));
}

void TestWindow::opensAnExampleFromTheStartPage() {
    QSignalSpy opened(&document(), &Document::opened);
    QTest::mouseClick(window_->findChild<QPushButton*>(QStringLiteral("example:transformer-layer.pt2")), Qt::LeftButton);
    QVERIFY(opened.wait(30'000));
    QVERIFY(window_->canvas()->isVisible());
    QVERIFY(window_->windowTitle().startsWith(QStringLiteral("transformer-layer.pt2[*]")));
    QVERIFY2(statusText().contains(QStringLiteral("transformer-layer.pt2  ·  Core ATen")), qPrintable(statusText()));
    QVERIFY(statusText().contains(QStringLiteral("0/%1 decided").arg(document().session()->decision_nodes().size())));
    QVERIFY(!window_->isWindowModified());
    // An example is no file of the person's.
    QVERIFY(!settings_->contains(QStringLiteral("recentFiles")));
}

void TestWindow::stepForceUndoRunExport() {
    open(exampleSource(QStringLiteral("teaching.py.txt")));
    press(Qt::Key_N);
    press(Qt::Key_N);
    QCOMPARE(document().session()->position(), 2U);
    QCOMPARE(document().selected(), node("active"));
    QVERIFY2(decisionText().contains(QStringLiteral("reinplaced")), qPrintable(decisionText()));
    QVERIFY(window_->isWindowModified());

    // Find %squared, go there, force it.
    press(Qt::Key_Slash);
    auto* search = window_->findChild<QLineEdit*>(QStringLiteral("nodeSearch"));
    QVERIFY(search->hasFocus());
    QTest::keyClicks(search, QStringLiteral("squared"));
    QTest::keyClick(search, Qt::Key_Return);
    QCOMPARE(document().selected(), node("squared"));
    window_->canvas()->setFocus();
    press(Qt::Key_H);
    QCOMPARE(document().session()->current(), node("squared"));
    press(Qt::Key_F);
    QCOMPARE(document().graph()->node(node("squared")).target, std::string("torch.ops.aten.mul_.Tensor"));
    QVERIFY2(decisionText().contains(QStringLiteral("forced")), qPrintable(decisionText()));
    press(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(document().graph()->node(node("squared")).target, std::string("torch.ops.aten.mul.Tensor"));
    press(Qt::Key_End);
    QVERIFY(document().session()->at_end());
    QVERIFY2(statusText().contains(QStringLiteral("17/17 decided")), qPrintable(statusText()));

    // Export through the dialog.
    const QString target = path(QStringLiteral("after.fx.txt"));
    withDialog<QFileDialog>([target](QFileDialog* dialog) {
        save(dialog, target);
    });
    press(Qt::Key_E, Qt::ControlModifier);
    QFile golden(QStringLiteral(TEST_DATA "/window/teaching.after.fx.txt"));
    QVERIFY(golden.open(QIODevice::ReadOnly));
    QCOMPARE(content(QStringLiteral("after.fx.txt")), golden.readAll());
    QVERIFY(!window_->isWindowModified());
}

void TestWindow::exportsWhatThePassMakes_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"basic-chain", "kv-cache-write", "scatter-becomes-copy", "later-use-through-view", "two-level-slices",
                             "attention-mask-update", "random-00007", "random-00093", "export-00003", "buffer-cache-index"})
        QTest::newRow(name) << QString::fromUtf8(name);
}

void TestWindow::exportsWhatThePassMakes() {
    QFETCH(QString, name);
    const QString archive = referenceFile(name + QStringLiteral("/before.pt2"));
    open(QFile::exists(archive) ? archive : referenceFile(name + QStringLiteral("/before.py.txt")));
    // Wander about, with a choice that is taken back, before running to the end.
    for (const Qt::Key key : {Qt::Key_N, Qt::Key_C, Qt::Key_C, Qt::Key_R, Qt::Key_B, Qt::Key_N, Qt::Key_M, Qt::Key_S})
        press(key);
    press(Qt::Key_Z, Qt::ControlModifier);
    press(Qt::Key_End);
    QVERIFY(document().session()->at_end());
    QVERIFY(window_->exportTo(path(QStringLiteral("after.txt"))));
    QFile golden(referenceFile(name + QStringLiteral("/after.fx.txt")));
    QVERIFY(golden.open(QIODevice::ReadOnly));
    QCOMPARE(content(QStringLiteral("after.txt")).trimmed(), golden.readAll().trimmed());
}

void TestWindow::keysOfAllSteps() {
    open(exampleSource(QStringLiteral("teaching.py.txt")));
    const ReinplaceSession& session = *document().session();
    press(Qt::Key_C);
    QCOMPARE(session.position(), 0U);
    QVERIFY(decisionText().contains(QStringLiteral("passed")));
    press(Qt::Key_B);
    QVERIFY(!decisionText().contains(QStringLiteral("passed")));
    press(Qt::Key_R);
    QCOMPARE(session.decisions().back().node, node("active"));
    press(Qt::Key_M);
    QCOMPARE(session.decisions().back().node, node("squared"));
    press(Qt::Key_N);
    press(Qt::Key_B);
    QCOMPARE(session.current(), node("left"));
    document().select(node("mask"));
    press(Qt::Key_H);
    QCOMPARE(session.current(), node("mask"));
    document().select(node("active"));
    press(Qt::Key_H); // backwards too
    QCOMPARE(session.current(), node("active"));
    press(Qt::Key_End);
    QVERIFY(session.at_end());
    QVERIFY(!action("step.node")->isEnabled());
    QVERIFY(action("step.node")->toolTip().contains(QStringLiteral("all decisions are made")));
    press(Qt::Key_Home);
    QCOMPARE(session.position(), 0U);
    press(Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(session.at_end());
    press(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(session.position(), 0U);
    document().select(node("mask"));
    press(Qt::Key_G);
    QCOMPARE(document().selected(), node("shifted"));
    press(Qt::Key_J);
    QCOMPARE(document().selected(), node("active"));
    press(Qt::Key_K);
    press(Qt::Key_K);
    QCOMPARE(document().selected(), node("patch"));
    QVERIFY(!action("step.here")->isEnabled());
}

void TestWindow::choicesByKeys() {
    open(exampleSource(QStringLiteral("teaching.py.txt")));
    press(Qt::Key_A);
    QCOMPARE(document().decision(node("shifted"))->choice, Choice::accept);
    press(Qt::Key_G);
    press(Qt::Key_S);
    QCOMPARE(document().decision(node("active"))->verdict, Verdict::kept);
    QCOMPARE(document().decision(node("active"))->choice, Choice::skip);
    press(Qt::Key_P);
    QCOMPARE(document().decision(node("active"))->verdict, Verdict::reinplaced);
    QVERIFY(!action("decide.leave")->isEnabled());
    document().select(node("left"));
    QVERIFY(!action("decide.force")->isEnabled());
    QVERIFY(action("decide.force")->toolTip().contains(QStringLiteral("aten.slice.Tensor has no in-place overload")));
    // What nothing stands against can be neither asked nor forced.
    document().throughNode(node("scaled"));
    document().select(node("scaled"));
    QCOMPARE(document().decision(node("scaled"))->verdict, Verdict::reinplaced);
    for (const char* id : {"decide.why", "decide.force"}) {
        QVERIFY2(!action(id)->isEnabled(), id);
        QVERIFY2(action(id)->toolTip().contains(QStringLiteral("the node is reinplaced")), qPrintable(action(id)->toolTip()));
    }
    // The same actions as buttons below the decision.
    document().select(node("scaled"));
    QTest::mouseClick(window_->findChild<DecisionPanel*>()->findChildren<QToolButton*>().at(1), Qt::LeftButton);
    QCOMPARE(document().session()->choice(2), Choice::skip);
}

void TestWindow::whyNotShowsTheEvidence() {
    open(exampleSource(QStringLiteral("teaching.py.txt")));
    document().select(node("grown"));
    press(Qt::Key_W);
    QVERIFY(document().decision(node("grown")));
    QVERIFY2(decisionText().contains(QStringLiteral("failed")), qPrintable(decisionText()));
    QCOMPARE(document().highlighted(), std::vector{node("output")});
    press(Qt::Key_Escape);
    QVERIFY(document().highlighted().empty());
}

void TestWindow::searchFindsANode() {
    open(exampleSource(QStringLiteral("teaching.py.txt")));
    auto* search = window_->findChild<QLineEdit*>(QStringLiteral("nodeSearch"));
    press(Qt::Key_F, Qt::ControlModifier);
    QVERIFY(search->hasFocus());
    QTest::keyClicks(search, QStringLiteral("clamp")); // an operation
    QTest::keyClick(search, Qt::Key_Return);
    QCOMPARE(document().selected(), node("limited"));
    QVERIFY(search->text().isEmpty());
    // Letters typed into the field are no steps.
    QCOMPARE(document().session()->position(), 0U);
    press(Qt::Key_Slash);
    QTest::keyClicks(search, QStringLiteral("nothing like it"));
    QTest::keyClick(search, Qt::Key_Return);
    QCOMPARE(document().selected(), node("limited"));
    QTest::keyClick(search, Qt::Key_Escape);
    QVERIFY(!search->hasFocus());
}

void TestWindow::actionFinderRunsAnAction() {
    open(exampleSource(QStringLiteral("teaching.py.txt")));
    press(Qt::Key_K, Qt::ControlModifier);
    auto* finder = window_->findChild<ActionFinder*>();
    QVERIFY(finder && finder->isVisible());
    auto* list = finder->findChild<QListWidget*>();
    QVERIFY(list->count() > 40);
    auto* text = finder->findChild<QLineEdit*>();
    QTest::keyClicks(text, QStringLiteral("run end"));
    QCOMPARE(list->currentItem()->text(), QStringLiteral("Step › Run to end"));
    QTest::keyClick(text, Qt::Key_Return);
    QVERIFY(document().session()->at_end());
    QTRY_VERIFY_WITH_TIMEOUT(!window_->findChild<ActionFinder*>(), 30'000);
    activate();
    press(Qt::Key_F1);
    QVERIFY(window_->findChild<ActionFinder*>());
    QTest::keyClick(window_->findChild<ActionFinder*>(), Qt::Key_Escape);
}

void TestWindow::actionsOfEditAndView() {
    open(exampleSource(QStringLiteral("teaching.py.txt")));
    press(Qt::Key_End);
    press(Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(QGuiApplication::clipboard()->text(), QString::fromStdString(print_fx(*document().graph())));
    GraphView* canvas = window_->canvas();
    press(Qt::Key_0);
    const double fitted = canvas->zoom();
    press(Qt::Key_Plus);
    QVERIFY(canvas->zoom() > fitted);
    const double zoomed = canvas->zoom();
    press(Qt::Key_Minus);
    QVERIFY(canvas->zoom() < zoomed);
    press(Qt::Key_Period);
    press(Qt::Key_I);
    press(Qt::Key_O);
    QVERIFY(document().selected() != no_node);
    withDialog<QMessageBox>([](QMessageBox* box) {
        const bool names_it = box->text().contains(QStringLiteral("Reinplace Inspector"));
        box->accept();
        QVERIFY(names_it);
    });
    press(Qt::Key_F1, Qt::ControlModifier);
}

void TestWindow::themesChangeThePalette() {
    open(exampleSource(QStringLiteral("teaching.py.txt")));
    press(Qt::Key_D, Qt::ControlModifier | Qt::AltModifier);
    QTRY_VERIFY_WITH_TIMEOUT(isDark(window_->palette()), 30'000);
    QCOMPARE(settings_->value(QStringLiteral("theme")).toInt(), static_cast<int>(Theme::dark));
    const QImage dark = window_->grab().toImage();
    press(Qt::Key_L, Qt::ControlModifier | Qt::AltModifier);
    QTRY_VERIFY_WITH_TIMEOUT(!isDark(window_->palette()), 30'000);
    const QImage light = window_->grab().toImage();
    // Nearly every pixel is another: no panel stays behind.
    qint64 same_brightness = 0;
    for (int y = 0; y < light.height(); y += 4)
        for (int x = 0; x < light.width(); x += 4)
            same_brightness += (qGray(light.pixel(x, y)) > 127) == (qGray(dark.pixel(x, y)) > 127);
    QVERIFY2(same_brightness < light.height() / 4 * (light.width() / 4) / 5, qPrintable(QString::number(same_brightness)));
    press(Qt::Key_S, Qt::ControlModifier | Qt::AltModifier);
    QCOMPARE(settings_->value(QStringLiteral("theme")).toInt(), static_cast<int>(Theme::system));
}

void TestWindow::panelsAreShownHiddenAndReset() {
    open(exampleSource(QStringLiteral("teaching.py.txt")));
    const QStringList ids{"nodes", "storages", "decision", "code", "program", "inspector", "verify", "memory", "history", "log"};
    for (int i = 0; i < ids.size(); ++i) {
        PanelDock* dock = window_->dock(ids[i]);
        QVERIFY2(dock, qPrintable(ids[i]));
        QVERIFY2(dock->isVisible(), qPrintable(ids[i]));
        press(static_cast<Qt::Key>(Qt::Key_0 + (i + 1) % 10), Qt::AltModifier);
        QVERIFY2(!dock->isVisible(), qPrintable(ids[i]));
        dock->reveal();
        QVERIFY2(dock->made() && dock->made()->isVisible(), qPrintable(ids[i]));
    }
    window_->dock(QStringLiteral("decision"))->setFloating(true);
    window_->dock(QStringLiteral("nodes"))->hide();
    press(Qt::Key_R, Qt::ControlModifier | Qt::AltModifier);
    QVERIFY(!window_->dock(QStringLiteral("decision"))->isFloating());
    QVERIFY(window_->dock(QStringLiteral("nodes"))->isVisible());
}

void TestWindow::layoutIsRemembered() {
    window_->dock(QStringLiteral("storages"))->hide();
    window_->resize(1400, 900);
    window_->close();
    window_ = std::make_unique<MainWindow>(settings_.get());
    window_->show();
    QVERIFY(!window_->dock(QStringLiteral("storages"))->isVisible());
    QVERIFY(window_->dock(QStringLiteral("nodes"))->isVisible());
    // As this Qt restores it: newer ones keep it on the screen, which is small here.
    QWidget plain;
    QVERIFY(plain.restoreGeometry(settings_->value(QStringLiteral("geometry")).toByteArray()));
    QCOMPARE(window_->size(), plain.size());
    QVERIFY(plain.size() == QSize(1400, 900) || plain.width() <= plain.screen()->availableSize().width());
}

void TestWindow::policiesCanBeChosen() {
    open(exampleSource(QStringLiteral("teaching.py.txt")));
    auto* box = window_->findChild<QComboBox*>(QStringLiteral("policy"));
    QCOMPARE(box->count(), static_cast<int>(policies().size()));
    for (std::size_t i = 0; i < policies().size(); ++i) {
        press(static_cast<Qt::Key>(Qt::Key_1 + static_cast<int>(i)), Qt::ControlModifier);
        QTRY_COMPARE_WITH_TIMEOUT(document().policy().toStdString(), policies()[i].id, 30'000);
        QTRY_VERIFY_WITH_TIMEOUT(!document().isOpening(), 30'000);
        QCOMPARE(box->currentData().toString().toStdString(), policies()[i].id);
        press(Qt::Key_End);
        QVERIFY(document().session()->at_end());
    }
}

void TestWindow::historyGoesBack() {
    open(exampleSource(QStringLiteral("teaching.py.txt")));
    window_->dock(QStringLiteral("history"))->reveal();
    auto* history = window_->findChild<QUndoView*>(QStringLiteral("history"));
    press(Qt::Key_N);
    press(Qt::Key_N);
    press(Qt::Key_S);
    QCOMPARE(history->model()->rowCount(), 4);
    QCOMPARE(history->model()->index(1, 0).data().toString(), QStringLiteral("Step over shifted"));
    QTest::mouseClick(history->viewport(), Qt::LeftButton, {}, history->visualRect(history->model()->index(1, 0)).center());
    QCOMPARE(document().session()->position(), 1U);
    QVERIFY(document().session()->options().choices.empty());
}

void TestWindow::graphsOfAFile() {
    open(referenceFile(QStringLiteral("nested-cond/before.pt2")));
    QVERIFY(!action("graph.previous-graph")->isEnabled());
    QSignalSpy shown(&document(), &Document::graphShown);
    press(Qt::Key_PageDown, Qt::ControlModifier);
    QTRY_COMPARE_WITH_TIMEOUT(shown.count(), 1, 30'000);
    QCOMPARE(document().graphIndex(), std::size_t{1});
    QVERIFY(window_->windowTitle().contains(QString::fromStdString(document().source()->id)));
    press(Qt::Key_PageUp, Qt::ControlModifier);
    QTRY_COMPARE_WITH_TIMEOUT(shown.count(), 2, 30'000);
    QCOMPARE(document().graphIndex(), std::size_t{0});
}

void TestWindow::exportsEveryFormat() {
    open(exampleSource(QStringLiteral("teaching.py.txt")));
    press(Qt::Key_End);
    const std::pair<const char*, const char*> formats[] = {
        {"a.txt", "graph():\n"}, {"a.py", "def forward("}, {"a.json", "\"decisions\""}, {"a.dot", "digraph"},
        {"a.svg", "<svg"},       {"a.png", "\x89PNG"}, {"a.pdf", "%PDF-"}, {"a.view.pdf", "%PDF-"},   {"a.html", "<!DOCTYPE html>"}, {"a.md", "| sound |"},
        {"a.sarif", "\"version\": \"2.1.0\""}};
    for (const auto& [name, mark] : formats) {
        QVERIFY2(window_->exportTo(path(QString::fromUtf8(name))), name);
        QVERIFY2(content(QString::fromUtf8(name)).left(4000).contains(mark), name);
    }
    QVERIFY(content(QStringLiteral("a.py")).contains("aten.relu_.default"));
    QVERIFY(content(QStringLiteral("a.dot")).contains("aten.relu_.default"));
    QVERIFY(!window_->exportTo(path(QStringLiteral("a.docx"))));
    QVERIFY(window_->messageBar()->isVisible());
    QVERIFY2(window_->messageBar()->text().contains(QStringLiteral(".docx names no format")), qPrintable(window_->messageBar()->text()));
    QVERIFY(!QFile::exists(path(QStringLiteral("a.docx"))));
    QVERIFY(!window_->exportTo(path(QStringLiteral("no such folder/a.txt"))));
    QTest::mouseClick(window_->findChild<QToolButton*>(QStringLiteral("closeMessage")), Qt::LeftButton);
    QVERIFY(!window_->messageBar()->isVisible());
}

void TestWindow::exportsBackIntoAnArchive() {
    const QString copy = path(QStringLiteral("layer.pt2"));
    QVERIFY(QFile::copy(exampleSource(QStringLiteral("transformer-layer.pt2")), copy));
    open(copy);
    press(Qt::Key_End);
    const std::string rewritten = print_fx(*document().graph());
    QVERIFY(!window_->exportTo(copy)); // the file that is open
    QVERIFY(window_->messageBar()->text().contains(QStringLiteral("this file is open")));
    const QString target = path(QStringLiteral("rewritten.pt2"));
    QVERIFY2(window_->exportTo(target), qPrintable(window_->messageBar()->text()));
    open(target);
    QCOMPARE(print_fx(document().session()->original()), rewritten);
    const auto records = [&](const QString& file) {
        std::size_t count = 0;
        const auto program = read_program(file.toStdString());
        for (const NodeId id : program->graphs.front().graph)
            for (const auto& [key, value] : program->graphs.front().graph.node(id).origin.properties)
                if (key == "custom" && value.find("\"reinplace\"") != std::string::npos) ++count;
        return count;
    };
    QCOMPARE(records(target), std::size_t{0});
    open(copy);
    press(Qt::Key_End);
    const QString recorded = path(QStringLiteral("rewritten.decisions.pt2"));
    QVERIFY2(window_->exportTo(recorded), qPrintable(window_->messageBar()->text()));
    QVERIFY(records(recorded) > 10);
    // Text has no archive to go back into.
    open(exampleSource(QStringLiteral("teaching.py.txt")));
    QVERIFY(!window_->exportTo(path(QStringLiteral("text.pt2"))));
    QVERIFY(!QFile::exists(path(QStringLiteral("text.pt2"))));
}

void TestWindow::exportDialogChoosesTheFormat() {
    open(exampleSource(QStringLiteral("teaching.py.txt")));
    const QString target = path(QStringLiteral("module"));
    withDialog<QFileDialog>([target](QFileDialog* dialog) {
        auto* types = dialog->findChild<QComboBox*>(QStringLiteral("fileTypeCombo"));
        types->setCurrentIndex(1);
        Q_EMIT types->textActivated(types->currentText());
        Q_EMIT dialog->filterSelected(types->currentText());
        save(dialog, target);
    });
    action("file.export")->trigger();
    QVERIFY(content(QStringLiteral("module.py")).contains("def forward("));
}

void TestWindow::exportTakesTheProposedName() {
    QVERIFY(QFile::copy(exampleSource(QStringLiteral("teaching.py.txt")), path(QStringLiteral("teaching.py.txt"))));
    open(path(QStringLiteral("teaching.py.txt")));
    press(Qt::Key_End);
    QVERIFY(!window_->exportTo(path(QStringLiteral("a.docx"))));
    QVERIFY(window_->messageBar()->isVisible());
    withDialog<QFileDialog>([](QFileDialog* dialog) {
        QTest::mouseClick(dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Save), Qt::LeftButton);
    });
    action("file.export")->trigger();
    QVERIFY(content(QStringLiteral("teaching-reinplaced.txt")).startsWith("graph():\n"));
    QVERIFY(!window_->messageBar()->isVisible()); // what failed before is over
}

void TestWindow::refusalIsAMessage() {
    open(exampleSource(QStringLiteral("teaching.py.txt")));
    QFile broken(path(QStringLiteral("broken.pt2")));
    QVERIFY(broken.open(QIODevice::WriteOnly));
    broken.write("PK\003\004 no archive");
    broken.close();
    QSignalSpy failed(&document(), &Document::openFailed);
    window_->openFile(broken.fileName());
    QVERIFY(failed.wait());
    QVERIFY(window_->messageBar()->isVisible());
    QVERIFY(window_->messageBar()->text().startsWith(broken.fileName()));
    QVERIFY(window_->canvas()->isVisible());
    QVERIFY(window_->windowTitle().startsWith(QStringLiteral("teaching.py.txt")));
    window_->dock(QStringLiteral("log"))->reveal();
    QVERIFY(window_->findChild<QPlainTextEdit*>(QStringLiteral("log"))->toPlainText().contains(QStringLiteral("Refused: ")));
    open(exampleSource(QStringLiteral("teaching.py.txt")));
    QVERIFY(!window_->messageBar()->isVisible());
}

void TestWindow::droppedFileIsOpened() {
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(exampleSource(QStringLiteral("teaching.py.txt")))});
    QDragEnterEvent enter(QPoint(50, 50), Qt::CopyAction, &data, Qt::LeftButton, {});
    QCoreApplication::sendEvent(window_.get(), &enter);
    QVERIFY(enter.isAccepted());
    QSignalSpy opened(&document(), &Document::opened);
    QDropEvent drop(QPointF(50, 50), Qt::CopyAction, &data, Qt::LeftButton, {});
    QCoreApplication::sendEvent(window_.get(), &drop);
    QVERIFY(opened.wait(30'000));
    // The canvas leaves drops to the window; words are no file.
    QVERIFY(!window_->canvas()->acceptDrops());
    QVERIFY(!window_->canvas()->viewport()->acceptDrops());
    QMimeData words;
    words.setText(QStringLiteral("graph():"));
    QDragEnterEvent enter_words(QPoint(50, 50), Qt::CopyAction, &words, Qt::LeftButton, {});
    enter_words.ignore();
    QCoreApplication::sendEvent(window_.get(), &enter_words);
    QVERIFY(!enter_words.isAccepted());
}

void TestWindow::openingCanBeCancelled() {
    open(exampleSource(QStringLiteral("teaching.py.txt")));
    QSignalSpy opened(&document(), &Document::opened);
    window_->openFile(exampleSource(QStringLiteral("transformer-layer.pt2")));
    window_->messageBar()->showProgress(QStringLiteral("Reading…"), 40); // as after a while
    QVERIFY(window_->messageBar()->isVisible());
    QTest::mouseClick(window_->findChild<QPushButton*>(QStringLiteral("cancelOpening")), Qt::LeftButton);
    QVERIFY(!document().isOpening());
    QVERIFY(!window_->messageBar()->isVisible());
    QTest::qWait(500);
    QCOMPARE(opened.count(), 0);
    QVERIFY(window_->windowTitle().startsWith(QStringLiteral("teaching.py.txt")));
}

void TestWindow::recentFilesAreListed() {
    const QString copy = path(QStringLiteral("mine.txt"));
    QVERIFY(QFile::copy(exampleSource(QStringLiteral("teaching.py.txt")), copy));
    open(copy);
    open(exampleSource(QStringLiteral("transformer-layer.pt2")));
    QMenu* file = window_->menuBar()->actions().first()->menu();
    QMenu* recent = file->actions().at(1)->menu();
    QCOMPARE(recent->actions().at(0)->text(), QStringLiteral("&1  transformer-layer.pt2"));
    QCOMPARE(recent->actions().at(1)->text(), QStringLiteral("&2  mine.txt"));
    QSignalSpy opened(&document(), &Document::opened);
    recent->actions().at(1)->trigger();
    QVERIFY(opened.wait(30'000));
    QCOMPARE(document().path(), copy);
    recent->actions().constLast()->trigger();
    QVERIFY(!recent->isEnabled());
}

void TestWindow::choicesAreNotInAnExport() {
    open(exampleSource(QStringLiteral("teaching.py.txt")));
    document().decide(node("squared"), Choice::force);
    QVERIFY(window_->exportTo(path(QStringLiteral("forced.py"))));
    QVERIFY(window_->isWindowModified());
    withDialog<QMessageBox>([](QMessageBox* box) { box->button(QMessageBox::Cancel)->click(); });
    QVERIFY(!window_->close());
    document().choose(node("squared"), Choice::policy);
    QVERIFY(window_->exportTo(path(QStringLiteral("left.py"))));
    QVERIFY(!window_->isWindowModified());
}

void TestWindow::exportsWhatIsInNoFile() {
    // Pasted, or its file deleted since: any path that is not there is free.
    const QString copy = path(QStringLiteral("gone.txt"));
    QVERIFY(QFile::copy(exampleSource(QStringLiteral("teaching.py.txt")), copy));
    open(copy);
    QVERIFY(!window_->exportTo(copy));
    const QByteArray text = content(QStringLiteral("gone.txt"));
    QVERIFY(QFile::remove(copy));
    QVERIFY(window_->exportTo(path(QStringLiteral("of-gone.py"))));
    QSignalSpy opened(&document(), &Document::opened);
    document().openText(text, QStringLiteral("Pasted graph"));
    QVERIFY(opened.wait(30'000));
    QVERIFY(window_->exportTo(path(QStringLiteral("of-pasted.py"))));
    QVERIFY(QFile::exists(path(QStringLiteral("of-pasted.py"))));
}

void TestWindow::namesOfFilesAreNoMarkup() {
    const QString name = QStringLiteral("<h1>A<img src=x>&amp;[*].txt");
    QVERIFY(QFile::copy(exampleSource(QStringLiteral("teaching.py.txt")), path(name)));
    open(path(name));
    auto* status = window_->findChild<QLabel*>(QStringLiteral("statusLine"));
    QCOMPARE(status->textFormat(), Qt::PlainText);
    QVERIFY2(status->text().startsWith(name), qPrintable(status->text()));
    QVERIFY(window_->windowTitle().startsWith(QStringLiteral("<h1>A<img src=x>&amp;[*][*].txt[*]")));
    press(Qt::Key_End);
    withDialog<QMessageBox>([name](QMessageBox* box) {
        QCOMPARE(box->textFormat(), Qt::PlainText);
        QVERIFY(box->text().contains(name));
        box->button(QMessageBox::Cancel)->click();
    });
    QVERIFY(!window_->close());
    QCOMPARE(literalToolTip(QStringLiteral("<b>a</b>")), QStringLiteral("<p>&lt;b&gt;a&lt;/b&gt;</p>"));
}

void TestWindow::closingAsksAboutRewrites() {
    open(exampleSource(QStringLiteral("teaching.py.txt")));
    press(Qt::Key_End);
    QVERIFY(document().isModified());
    withDialog<QMessageBox>([](QMessageBox* box) { box->button(QMessageBox::Cancel)->click(); });
    QVERIFY(!window_->close());
    QVERIFY(window_->isVisible());
    // Opening another file asks the same.
    withDialog<QMessageBox>([](QMessageBox* box) { box->button(QMessageBox::Cancel)->click(); });
    window_->openFile(exampleSource(QStringLiteral("transformer-layer.pt2")));
    QVERIFY(!document().isOpening());
    // Exported, there is nothing to ask.
    QVERIFY(window_->exportTo(path(QStringLiteral("kept.txt"))));
    QVERIFY(window_->close());
    window_->show();
    activate();
    press(Qt::Key_Home);
    press(Qt::Key_R);
    QVERIFY(document().isModified());
    withDialog<QMessageBox>([](QMessageBox* box) { box->button(QMessageBox::Discard)->click(); });
    press(Qt::Key_Q, Qt::ControlModifier);
    QVERIFY(!window_->isVisible());
}

void TestWindow::countsOfNodesAgree() {
    open(exampleSource(QStringLiteral("teaching.py.txt")));
    const auto counted = [this] {
        QStringList texts;
        for (const QLabel* label : window_->dock(QStringLiteral("nodes"))->findChildren<QLabel*>()) texts << label->text();
        return texts;
    };
    QVERIFY2(statusText().contains(QStringLiteral("21 nodes")), qPrintable(statusText()));
    QVERIFY2(counted().contains(QStringLiteral("21 nodes")), qPrintable(counted().join(u'|')));
    document().setPolicy(QStringLiteral("sound"));
    QTRY_COMPARE(document().session()->options().policy, std::string("sound"));
    press(Qt::Key_End);
    QVERIFY2(statusText().contains(QStringLiteral("21 nodes")), qPrintable(statusText()));
    QTRY_VERIFY2(counted().contains(QStringLiteral("23 nodes (21 as read, 2 made by the pass)")), qPrintable(counted().join(u'|')));
}

void TestWindow::panelsKeepTheirShare() {
    open(exampleSource(QStringLiteral("teaching.py.txt")));
    QCoreApplication::processEvents();
    const auto sizes = [this] {
        return std::array{window_->dock(QStringLiteral("nodes"))->width(), window_->dock(QStringLiteral("decision"))->width(),
                          window_->dock(QStringLiteral("code"))->height()};
    };
    const auto first = sizes();
    window_->resize(2560, 1440);
    QCoreApplication::processEvents();
    const auto large = sizes();
    for (std::size_t i = 0; i < first.size(); ++i) QVERIFY(large[i] > first[i] * 3 / 2);
    window_->resize(1280, 800);
    QCoreApplication::processEvents();
    const auto last = sizes();
    for (std::size_t i = 0; i < first.size(); ++i)
        QVERIFY2(std::abs(last[i] - first[i]) <= 4, qPrintable(QStringLiteral("%1: %2 → %3").arg(i).arg(first[i]).arg(last[i])));
}

void TestWindow::tallPanelsGiveTheHeightBack() {
    PanelDock* code = window_->dock(QStringLiteral("code"));
    PanelDock* trip = window_->dock(QStringLiteral("round-trip"));
    PanelDock* parts = window_->dock(QStringLiteral("decompose"));
    open(exampleSource(QStringLiteral("teaching.py.txt")));
    QCoreApplication::processEvents();
    const int low = code->height();

    // A graph that writes nothing has no way back to show.
    press(Qt::Key_R, Qt::ControlModifier);
    QTRY_VERIFY_WITH_TIMEOUT(window_->roundTrip().trip(), 10'000);
    QCoreApplication::processEvents();
    QCOMPARE(trip->height(), low);

    press(Qt::Key_T, Qt::ControlModifier);
    QTRY_VERIFY_WITH_TIMEOUT(parts->height() > low + 40, 10'000);
    code->reveal();
    QTRY_COMPARE(code->height(), low);

    // Where somebody moved the border meanwhile, it stays there.
    press(Qt::Key_T, Qt::ControlModifier);
    QTRY_VERIFY(parts->height() > low + 40);
    parts->setHeight(low + 30);
    QTRY_COMPARE(parts->height(), low + 30);
    code->reveal();
    QCoreApplication::processEvents();
    QCOMPARE(code->height(), low + 30);
}

void TestWindow::tallPanelsAreRememberedLow() {
    open(exampleSource(QStringLiteral("teaching.py.txt")));
    QCoreApplication::processEvents();
    const int low = window_->dock(QStringLiteral("code"))->height();
    press(Qt::Key_T, Qt::ControlModifier);
    QTRY_VERIFY_WITH_TIMEOUT(window_->dock(QStringLiteral("decompose"))->height() > low + 40, 10'000);
    QVERIFY(window_->close());
    window_ = std::make_unique<MainWindow>(settings_.get());
    window_->show();
    QTRY_COMPARE(window_->dock(QStringLiteral("decompose"))->height(), low);
}

void TestWindow::fitsASmallScreen() {
    open(exampleSource(QStringLiteral("transformer-layer.pt2")));
    const QSize least = window_->minimumSizeHint();
    QVERIFY2(least.width() <= 1280 && least.height() <= 800, qPrintable(QStringLiteral("%1×%2").arg(least.width()).arg(least.height())));
    window_->resize(1280, 800);
    QCOMPARE(window_->size(), QSize(1280, 800));
    // The tool bar needs no overflow menu.
    for (QAction* each : window_->findChild<QToolBar*>(QStringLiteral("steps"))->actions()) {
        const QWidget* widget = window_->findChild<QToolBar*>(QStringLiteral("steps"))->widgetForAction(each);
        QVERIFY2(widget->isVisible() && widget->geometry().right() < 1280, qPrintable(each->text()));
    }
    QVERIFY(window_->canvas()->width() >= 400);
    QVERIFY(window_->canvas()->height() >= 300);
    // Lists scroll, panels around them do not; names on tabs are whole.
    for (const QSize size : {QSize(1280, 800), QSize(1216, 760)}) {
        window_->resize(size);
        QCoreApplication::processEvents();
        for (const char* id : {"nodes", "storages", "decision"})
            QVERIFY2(!window_->dock(QString::fromUtf8(id))->findChild<QScrollArea*>()->horizontalScrollBar()->isVisible(), id);
        for (const QTabBar* tabs : window_->findChildren<QTabBar*>()) QVERIFY(!tabs->isVisible() || tabs->elideMode() == Qt::ElideNone);
    }
    // Whichever panels are there.
    for (PanelDock* dock : window_->findChildren<PanelDock*>()) dock->reveal();
    window_->resize(800, 600);
    QCOMPARE(window_->size(), QSize(800, 600));
    // The first start, on the screen there is.
    QSettings none(path(QStringLiteral("none.ini")), QSettings::IniFormat);
    const MainWindow first(&none);
    const QSize room = first.screen()->availableSize();
    QVERIFY2(first.width() < room.width() && first.height() < room.height(),
             qPrintable(QStringLiteral("%1×%2").arg(first.width()).arg(first.height())));
}

void TestWindow::allPanelsFollowOneSelection() {
    open(exampleSource(QStringLiteral("teaching.py.txt")));
    window_->dock(QStringLiteral("inspector"))->reveal();
    // A click on the canvas is seen everywhere.
    GraphView* canvas = window_->canvas();
    press(Qt::Key_0);
    QTest::mouseClick(canvas->viewport(), Qt::LeftButton, {}, canvas->viewPositionOf(node("share")));
    QCOMPARE(document().selected(), node("share"));
    QCOMPARE(window_->findChild<QTreeView*>(QStringLiteral("nodeList"))->currentIndex().siblingAtColumn(NodeListModel::node_column).data().toString(),
             QStringLiteral("%share"));
    QCOMPARE(window_->findChild<QTreeView*>(QStringLiteral("storageTree"))->currentIndex().data().toString(), QStringLiteral("%share"));
    QVERIFY(decisionText().contains(QStringLiteral("%share")));
    QVERIFY(window_->findChild<QTextBrowser*>(QStringLiteral("inspectorPage"))->toPlainText().contains(QStringLiteral("share = grown / grown.sum")));
}

void TestWindow::stepsAreSeenInEveryPanel() {
    open(exampleSource(QStringLiteral("teaching.py.txt")));
    const auto shown = [this](const char* view, int column) {
        auto* tree = window_->findChild<QTreeView*>(QString::fromUtf8(view));
        const QModelIndex current = tree->currentIndex();
        if (!tree->selectionModel()->isSelected(current)) return QStringLiteral("nothing selected");
        const bool is_in_sight = tree->viewport()->rect().contains(tree->visualRect(current).center());
        return is_in_sight ? current.siblingAtColumn(column).data().toString() : QStringLiteral("out of sight");
    };
    for (const Qt::Key key : {Qt::Key_N, Qt::Key_R, Qt::Key_M, Qt::Key_R, Qt::Key_R, Qt::Key_B, Qt::Key_End, Qt::Key_Home}) {
        press(key);
        const QString name = nodeText(document(), document().selected());
        QCOMPARE(shown("nodeList", NodeListModel::node_column), name);
        QCOMPARE(shown("storageTree", 0), name);
        QVERIFY(decisionText().contains(name));
    }
    document().toNode(document().session()->decision_nodes()[5]);
    press(Qt::Key_M);
    QCOMPARE(shown("nodeList", NodeListModel::node_column), nodeText(document(), document().selected()));
    // A larger window shows the whole list; a smaller one again still shows the selected row.
    window_->resize(2560, 1440);
    QCoreApplication::processEvents();
    window_->resize(1280, 800);
    QCoreApplication::processEvents();
    QCOMPARE(shown("nodeList", NodeListModel::node_column), nodeText(document(), document().selected()));
}

void TestWindow::stepsAreQuickOnALargeGraph() {
    constexpr int length = 4000;
    QFile file(path(QStringLiteral("chain.txt")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(chainText(length));
    file.close();
    open(file.fileName());
    window_->grab(); // everything has been drawn once
    const auto average = [&](const char* what, int times, auto&& act) {
        // Of this process: other work on the machine does not count.
        const std::clock_t start = std::clock();
        for (int i = 0; i < times; ++i) {
            act(i);
            QCoreApplication::processEvents();
        }
        const double milliseconds = static_cast<double>(std::clock() - start) * 1e3 / CLOCKS_PER_SEC / times;
        qInfo("%s, %d nodes: %.1f ms", what, length, milliseconds);
#ifdef NDEBUG
        return milliseconds;
#else
        return milliseconds / 10; // unoptimized, perhaps with sanitizers
#endif
    };
    QVERIFY(average("a step by a node", 20, [&](int) { press(Qt::Key_N); }) < 150);
    QVERIFY(average("a selection", 20, [&](int i) { document().select(node(qPrintable(QStringLiteral("a%1").arg(100 + i * 150)))); }) < 100);
    press(Qt::Key_End);
    QVERIFY(average("a selection at the end", 20, [&](int i) { document().select(node(qPrintable(QStringLiteral("a%1").arg(150 + i * 150)))); }) < 100);
    QVERIFY(average("running to the end and back", 2, [&](int) {
                press(Qt::Key_End);
                QVERIFY(document().session()->at_end());
                press(Qt::Key_Home);
            }) < 1000);
}

QTEST_MAIN(TestWindow)
#include "test_window.moc"
