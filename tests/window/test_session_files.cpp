// Saving a session, opening it again, and finding it after the window was killed. Driven with keys and clicks.
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QLineEdit>
#include <QMenuBar>
#include <QMessageBox>
#include <QProcess>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTextStream>
#include <QTimer>
#include <QtTest>

#include "core/formats/reader.h"
#include "core/graph/print.h"
#include "tests/window/opened_document.h"
#include "ui/graph_view/graph_view.h"
#include "ui/main_window/main_window.h"
#include "ui/main_window/message_bar.h"
#include "ui/session_files/save_document.h"

using namespace inspector;

namespace {

constexpr const char* victim_folder = "VICTIM_FOLDER"; ///< set: this process is the window that is killed

QString teaching() { return exampleSource(QStringLiteral("teaching.py.txt")); }

/// A window with the folder's sessions; settings of its own.
struct Window {
    explicit Window(const QString& sessions)
        : settings(folder.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat), window(&settings, sessions) {
        window.show();
    }

    [[nodiscard]] Document& document() { return window.document(); }
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) { QTest::keyClick(&window, key, modifiers); }
    void open(const QString& file) {
        QSignalSpy opened(&document(), &Document::opened);
        window.openFile(file);
        QVERIFY(opened.count() > 0 || opened.wait(30'000));
        window.canvas()->setFocus();
    }
    void answer(const char* button) {
        QTest::mouseClick(window.restoringBar()->findChild<QPushButton*>(QString::fromUtf8(button)), Qt::LeftButton);
    }
    [[nodiscard]] bool hasOffer() const { return window.restoringBar()->isVisibleTo(window.restoringBar()->parentWidget()); }

    QTemporaryDir folder;
    QSettings settings;
    MainWindow window;
};

/// Opens the teaching graph, makes a choice and all decisions, and tells when they are kept. Never ends by itself.
int runVictim(const QString& sessions) {
    Window victim(sessions);
    victim.open(teaching());
    victim.document().choose(nodeNamed(victim.document(), "grown"), Choice::force);
    victim.document().runToEnd();
    QObject::connect(&victim.window.autosave(), &Autosave::saved, &victim.window, [&victim] {
        if (victim.document().session()->at_end()) QTextStream(stdout) << "kept\n" << Qt::flush;
    });
    return QApplication::exec();
}

} // namespace

class TestSessionFiles : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs); }
    void init() { folder_ = std::make_unique<QTemporaryDir>(); }

    void savedAndOpenedAgain();
    void sessionsOnSeveralGraphs();
    void unsavedIsMarked();
    void asksOnClosingAndOpening();
    void saveFailsWithAMessage();
    void sourceIsNeverOverwritten();
    void documentWithoutItsWeights();
    void killedWindowIsOfferedAgain();
    void discardedIsGone();
    void savedDocumentIsRestoredAsItself();
    void damagedSessionIsRefused();
    void twoWindowsKeepApart();
    void closedWindowLeavesNothing();
    void largeGraphDoesNotBlock();

private:
    QString path(const QString& name) const { return folder_->filePath(name); }
    QString sessions() const { return path(QStringLiteral("sessions")); }
    QStringList kept() const { return QDir(sessions()).entryList({QStringLiteral("*.session.json")}, QDir::Files); }
    /// A file dialog lists its folder in another thread, and shows the name it was given when that is done.
    template <typename Dialog, typename Act> void withDialog(Act act) {
        auto* timer = new QTimer(this);
        connect(timer, &QTimer::timeout, timer, [timer, act] {
            auto* dialog = qobject_cast<Dialog*>(QApplication::activeModalWidget());
            if (!dialog) return;
            timer->stop();
            timer->deleteLater();
            act(dialog);
        });
        timer->start(std::is_same_v<Dialog, QFileDialog> ? 400 : 20);
    }
    void saveDialogTakes(const QString& file) {
        withDialog<QFileDialog>([file](QFileDialog* dialog) {
            dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))->setText(file);
            QTest::mouseClick(dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Save), Qt::LeftButton);
        });
    }
    /// Starts a window, waits until its session is kept, and kills it.
    void killAWindow(bool lookMeanwhile = false) {
        QProcess victim;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QString::fromUtf8(victim_folder), sessions());
        victim.setProcessEnvironment(environment);
        victim.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        victim.start(QCoreApplication::applicationFilePath(), QStringList());
        QByteArray told;
        while (!told.contains("kept") && victim.waitForReadyRead(60'000)) told += victim.readAll();
        QVERIFY(told.contains("kept"));
        if (lookMeanwhile) {
            Window other(sessions());
            QVERIFY(!other.hasOffer()); // it belongs to the window that runs
        }
        victim.kill(); // SIGKILL
        QVERIFY(victim.waitForFinished());
        QCOMPARE(victim.exitStatus(), QProcess::CrashExit);
        QCOMPARE(kept().size(), 1);
    }

    std::unique_ptr<QTemporaryDir> folder_;
};

void TestSessionFiles::savedAndOpenedAgain() {
    const QString file = path(QStringLiteral("mine.session.json"));
    std::string rewritten;
    NodeId selected = no_node;
    {
        Window first(sessions());
        first.open(teaching());
        const NodeId grown = nodeNamed(first.document(), "grown");
        first.document().decide(grown, Choice::force);
        first.press(Qt::Key_M);
        first.press(Qt::Key_C);
        selected = first.document().selected();
        QVERIFY(first.window.isWindowModified());
        saveDialogTakes(path(QStringLiteral("mine")));
        first.press(Qt::Key_S, Qt::ControlModifier);
        QVERIFY(QFile::exists(file)); // with the ending
        QVERIFY(!first.window.isWindowModified());
        QVERIFY(first.window.windowTitle().startsWith(QStringLiteral("mine.session.json")));
        rewritten = print_fx(*first.document().graph());
        QVERIFY(first.window.close());
    }
    QVERIFY(kept().isEmpty());
    Window second(sessions());
    QVERIFY(!second.hasOffer());
    second.open(file);
    QVERIFY(!second.window.isWindowModified());
    QCOMPARE(print_fx(*second.document().graph()), rewritten);
    QCOMPARE(second.document().selected(), selected);
    QCOMPARE(second.document().session()->choice(static_cast<std::uint32_t>(
                 second.document().decisionIndex(nodeNamed(second.document(), "grown")))), Choice::force);
    QVERIFY(second.document().session()->checks_asked() > 0);
    QCOMPARE(second.document().undoStack()->count(), 0);
    // It stands among the recent files.
    QMenu* recent = second.window.menuBar()->actions().first()->menu()->actions().at(1)->menu();
    QCOMPARE(recent->actions().first()->text(), QStringLiteral("&1  mine.session.json"));
    // Steps go on, and Ctrl+S saves without asking.
    second.press(Qt::Key_End);
    QVERIFY(second.window.isWindowModified());
    second.press(Qt::Key_S, Qt::ControlModifier);
    QVERIFY(!second.window.isWindowModified());
    const auto saved = read_program(file.toStdString());
    QVERIFY(saved && saved->saved);
    QCOMPARE(std::size_t{saved->saved->position}, second.document().session()->decision_nodes().size());
    QCOMPARE(saved->saved->origin, teaching().toStdString());
}

void TestSessionFiles::sessionsOnSeveralGraphs() {
    const QString file = path(QStringLiteral("both.session.json"));
    std::string root, nested;
    {
        Window first(sessions());
        first.open(QStringLiteral(TEST_DATA "/reference/nested-cond/before.pt2"));
        Document& document = first.document();
        document.decide(document.session()->decision_nodes().front(), Choice::skip);
        document.runToEnd();
        root = print_fx(*document.graph());
        QSignalSpy shown(&document, &Document::graphShown);
        document.showGraph(1);
        QVERIFY(shown.wait(30'000));
        first.press(Qt::Key_End);
        nested = print_fx(*document.graph());
        QVERIFY(first.window.saveTo(file));
        QVERIFY(!first.window.isWindowModified());
        // What is done on the graph that is not shown counts too.
        document.showGraph(0);
        QVERIFY(shown.wait(30'000));
        first.press(Qt::Key_B);
        document.showGraph(1);
        QVERIFY(shown.wait(30'000));
        QVERIFY(first.window.isWindowModified());
        first.press(Qt::Key_Z, Qt::ControlModifier);
        first.press(Qt::Key_Z, Qt::ControlModifier);
        first.press(Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(!first.window.isWindowModified());
        QTRY_COMPARE_WITH_TIMEOUT(kept().size(), 0, 30'000);
    }
    const auto program = read_program(file.toStdString());
    QVERIFY(program && program->saved);
    QCOMPARE(program->saved->graph, std::size_t{1});
    QCOMPARE(program->other_sessions.size(), std::size_t{1});
    QCOMPARE(program->other_sessions.front().choices.size(), std::size_t{1});

    Window second(sessions());
    second.open(file);
    QCOMPARE(second.document().graphIndex(), std::size_t{1});
    QCOMPARE(print_fx(*second.document().graph()), nested);
    QVERIFY(!second.window.isWindowModified());
    QSignalSpy shown(&second.document(), &Document::graphShown);
    second.document().showGraph(0);
    QVERIFY(shown.wait(30'000));
    QCOMPARE(print_fx(*second.document().graph()), root);
    QCOMPARE(second.document().session()->choice(0), Choice::skip);
    QVERIFY(second.window.isWindowModified()); // a document keeps which graph is shown
}

void TestSessionFiles::unsavedIsMarked() {
    Window window(sessions());
    window.open(teaching());
    const QString file = path(QStringLiteral("a.session.json"));
    QVERIFY(window.window.saveTo(file));
    QVERIFY(!window.window.isWindowModified());
    window.press(Qt::Key_N); // a document keeps where one stands
    QVERIFY(window.window.isWindowModified());
    window.press(Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(!window.window.isWindowModified());
    window.press(Qt::Key_C);
    QVERIFY(window.window.isWindowModified());
    window.press(Qt::Key_B);
    QVERIFY(!window.window.isWindowModified());
    QSignalSpy shown(&window.document(), &Document::graphShown);
    window.document().setPolicy(QStringLiteral("torch-fx"));
    QVERIFY(shown.wait());
    QVERIFY(window.window.isWindowModified());
    saveDialogTakes(path(QStringLiteral("b.session.json")));
    window.press(Qt::Key_S, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(!window.window.isWindowModified());
    QCOMPARE(window.document().documentPath(), path(QStringLiteral("b.session.json")));
    QCOMPARE(read_program(file.toStdString())->saved->policy, std::string("sound"));
    QCOMPARE(read_program(window.document().documentPath().toStdString())->saved->policy, std::string("torch-fx"));
}

void TestSessionFiles::asksOnClosingAndOpening() {
    Window window(sessions());
    window.open(teaching());
    window.press(Qt::Key_End);
    withDialog<QMessageBox>([](QMessageBox* box) {
        QCOMPARE(box->text(), QStringLiteral("Save your session on teaching.py.txt?"));
        box->button(QMessageBox::Cancel)->click();
    });
    QVERIFY(!window.window.close());
    // Save, but then no name: nothing is lost.
    withDialog<QMessageBox>([this](QMessageBox* box) {
        withDialog<QFileDialog>([](QFileDialog* dialog) { dialog->reject(); });
        box->button(QMessageBox::Save)->click();
    });
    window.window.openFile(exampleSource(QStringLiteral("transformer-layer.pt2")));
    QVERIFY(!window.document().isOpening());
    // Saved, the other file opens.
    withDialog<QMessageBox>([this](QMessageBox* box) {
        saveDialogTakes(path(QStringLiteral("kept")));
        box->button(QMessageBox::Save)->click();
    });
    window.open(exampleSource(QStringLiteral("transformer-layer.pt2")));
    QVERIFY(QFile::exists(path(QStringLiteral("kept.session.json"))));
    QVERIFY(window.document().documentPath().isEmpty());
}

void TestSessionFiles::saveFailsWithAMessage() {
    Window window(sessions());
    window.open(teaching());
    window.press(Qt::Key_End);
    QVERIFY(!window.window.saveTo(path(QStringLiteral("nowhere/a.session.json"))));
    QVERIFY(window.window.messageBar()->isVisible());
    QVERIFY(window.window.messageBar()->text().startsWith(QStringLiteral("Not saved: ")));
    QVERIFY(window.window.isWindowModified());
    QVERIFY(window.window.saveTo(path(QStringLiteral("a.session.json"))));
    QVERIFY(!window.window.messageBar()->isVisible());
}

void TestSessionFiles::sourceIsNeverOverwritten() {
    const QString source = path(QStringLiteral("model.pt2"));
    QVERIFY(QFile::copy(QStringLiteral(TEST_DATA "/pt2/inputs-training.pt2"), source));
    const qint64 size = QFileInfo(source).size();
    Window window(sessions());
    window.open(source);
    QVERIFY(!window.window.saveTo(source));
    QVERIFY(window.window.saveTo(path(QStringLiteral("a.session.json"))));
    QVERIFY(!window.window.saveTo(source));
    QCOMPARE(QFileInfo(source).size(), size);
    QCOMPARE(window.document().documentPath(), path(QStringLiteral("a.session.json")));
}

void TestSessionFiles::documentWithoutItsWeights() {
    const QString source = path(QStringLiteral("model.pt2"));
    QVERIFY(QFile::copy(QStringLiteral(TEST_DATA "/pt2/inputs-training.pt2"), source));
    Window window(sessions());
    window.open(source);
    QVERIFY(window.window.saveTo(path(QStringLiteral("a.session.json"))));
    QVERIFY(QFile::remove(source));
    window.open(path(QStringLiteral("a.session.json")));
    QVERIFY(window.window.messageBar()->isVisible());
    QVERIFY(window.window.messageBar()->text().startsWith(QStringLiteral("Something is missing: the weights are lacking: ") + source));
    window.press(Qt::Key_End);
    QVERIFY(window.document().session()->at_end());
    QVERIFY(window.window.saveTo(path(QStringLiteral("a.session.json"))));
}

void TestSessionFiles::killedWindowIsOfferedAgain() {
    killAWindow(true);
    {
        Window next(sessions());
        QVERIFY(next.hasOffer());
        QVERIFY2(next.window.restoringBar()->text().contains(QStringLiteral("teaching.py.txt")),
                 qPrintable(next.window.restoringBar()->text()));
        QSignalSpy opened(&next.document(), &Document::opened);
        next.answer("acceptOffer");
        QVERIFY(opened.wait(30'000));
        QVERIFY(!next.hasOffer());
        QVERIFY(next.document().session()->at_end());
        QCOMPARE(next.document().session()->choice(static_cast<std::uint32_t>(
                     next.document().decisionIndex(nodeNamed(next.document(), "grown")))), Choice::force);
        QVERIFY(next.window.isWindowModified());
        QCOMPARE(next.document().path(), teaching());
        QCOMPARE(kept().size(), 1); // still kept, until it is saved
        saveDialogTakes(path(QStringLiteral("rescued")));
        next.press(Qt::Key_S, Qt::ControlModifier);
        QVERIFY(QFile::exists(path(QStringLiteral("rescued.session.json"))));
        QTRY_VERIFY_WITH_TIMEOUT(kept().isEmpty(), 30'000);
    }
    Window last(sessions());
    QVERIFY(!last.hasOffer());
}

void TestSessionFiles::discardedIsGone() {
    killAWindow();
    {
        Window next(sessions());
        QVERIFY(next.hasOffer());
        next.answer("declineOffer");
        QVERIFY(!next.hasOffer());
        QVERIFY(next.document().isEmpty());
        QVERIFY(kept().isEmpty());
    }
    QVERIFY(QDir(sessions()).isEmpty()); // no lock either
}

void TestSessionFiles::savedDocumentIsRestoredAsItself() {
    killAWindow();
    const QString document = path(QStringLiteral("mine.session.json"));
    // As if it had been saved there before.
    QFile file(QDir(sessions()).filePath(kept().first()));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QByteArray text = file.readAll();
    file.close();
    text.replace("\"origin\":", "\"document\":\"" + document.toUtf8() + "\",\"origin\":");
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
    file.close();
    Window next(sessions());
    QSignalSpy opened(&next.document(), &Document::opened);
    next.answer("acceptOffer");
    QVERIFY(opened.wait(30'000));
    QCOMPARE(next.document().documentPath(), document);
    QVERIFY(next.window.isWindowModified());
    next.press(Qt::Key_S, Qt::ControlModifier); // asks for no name
    QVERIFY(QFile::exists(document));
    QVERIFY(!next.window.isWindowModified());
}

void TestSessionFiles::damagedSessionIsRefused() {
    killAWindow();
    QFile file(QDir(sessions()).filePath(kept().first()));
    QVERIFY(file.resize(file.size() / 2));
    {
        Window next(sessions());
        QSignalSpy failed(&next.document(), &Document::openFailed);
        next.answer("acceptOffer");
        QVERIFY(failed.wait(30'000));
        QVERIFY(next.window.messageBar()->text().contains(QStringLiteral("cut short")));
        QCOMPARE(kept().size(), 1); // whoever wants to repair it, can
        next.open(teaching());
    }
    QCOMPARE(kept().size(), 1);
}

void TestSessionFiles::twoWindowsKeepApart() {
    Window first(sessions());
    Window second(sessions());
    first.open(teaching());
    second.open(exampleSource(QStringLiteral("transformer-layer.pt2")));
    first.document().runToEnd();
    second.document().stepNode();
    QTRY_COMPARE_WITH_TIMEOUT(kept().size(), 2, 30'000);
    Window third(sessions());
    QVERIFY(!third.hasOffer());
    QVERIFY(first.window.autosave().path() != second.window.autosave().path());
    first.document().restart();
    QTRY_COMPARE_WITH_TIMEOUT(kept().size(), 1, 30'000); // nothing to lose there any more
    QTRY_VERIFY_WITH_TIMEOUT(!second.window.autosave().path().isEmpty(), 30'000);
    const auto program = read_program(second.window.autosave().path().toStdString());
    QVERIFY(program && program->saved);
    QCOMPARE(program->saved->position, 1U);
    first.document().markExported();
}

void TestSessionFiles::closedWindowLeavesNothing() {
    {
        Window window(sessions());
        window.open(teaching());
        window.press(Qt::Key_End);
        QTRY_COMPARE_WITH_TIMEOUT(kept().size(), 1, 30'000);
        withDialog<QMessageBox>([](QMessageBox* box) { box->button(QMessageBox::Discard)->click(); });
        QVERIFY(window.window.close());
    }
    QVERIFY(QDir(sessions()).isEmpty());
    // Without a folder nothing is kept anywhere.
    Window window{QString()};
    window.open(teaching());
    window.press(Qt::Key_End);
    QTest::qWait(700);
    QVERIFY(window.window.autosave().path().isEmpty());
    window.document().markExported();
}

void TestSessionFiles::largeGraphDoesNotBlock() {
    QFile file(path(QStringLiteral("chain.txt")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(chainText(20'000));
    file.close();
    Window window(sessions());
    window.open(file.fileName());
    window.document().runToEnd();
    QSignalSpy saved(&window.window.autosave(), &Autosave::saved);
    // While it is written, steps are taken; what is kept at last is where they led.
    for (int i = 0; i < 20; ++i) {
        window.document().stepBack();
        QTest::qWait(40);
    }
    const auto kept_place = [&]() -> std::size_t {
        const auto program = read_program(window.window.autosave().path().toStdString());
        return program && program->saved ? program->saved->position : 0;
    };
    QTRY_VERIFY_WITH_TIMEOUT(saved.count() > 0 && kept_place() == window.document().session()->position(), 60'000);
    QVERIFY(saved.count() < 20);
    window.document().markExported();
}

int main(int argc, char** argv) {
    QApplication application(argc, argv);
    QApplication::setStyle(QStringLiteral("Fusion"));
    if (qEnvironmentVariableIsSet(victim_folder)) return runVictim(qEnvironmentVariable(victim_folder));
    TestSessionFiles test;
    return QTest::qExec(&test, argc, argv);
}
#include "test_session_files.moc"
