// Copying a node from anywhere: keys, the Edit menu's actions, the context menus of canvas, list, code and decision.
#include <QClipboard>
#include <QMenu>
#include <QPointer>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTextBrowser>
#include <QTimer>
#include <QTreeView>
#include <QtTest>

#include "core/formats/reader.h"
#include "tests/window/opened_document.h"
#include "ui/code/code_view.h"
#include "ui/graph_view/graph_view.h"
#include "ui/main_window/main_window.h"
#include "ui/main_window/message_bar.h"
#include "ui/main_window/panel_dock.h"

using namespace inspector;

class TestCopyAs : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        folder_ = std::make_unique<QTemporaryDir>();
        settings_ = std::make_unique<QSettings>(folder_->filePath(QStringLiteral("settings.ini")), QSettings::IniFormat);
        window_ = std::make_unique<MainWindow>(settings_.get());
        window_->resize(1280, 800);
        window_->show();
        QSignalSpy opened(&document(), &Document::opened);
        window_->openFile(exampleSource(QStringLiteral("teaching.py.txt")));
        QVERIFY(opened.wait(30'000));
        QTRY_VERIFY_WITH_TIMEOUT(window_->canvas()->picture().hasLayout(), 30'000);
        QGuiApplication::clipboard()->clear();
    }
    void cleanup() {
        document().markExported();
        window_.reset();
    }

    void byKeys();
    void minimalGraphIsDecidedAlike();
    void offWithAReason();
    void failureIsAMessage();
    void fromContextMenus();

private:
    Document& document() const { return window_->document(); }
    QAction* action(const char* id) const { return window_->actions()[QString::fromUtf8(id)]; }
    void press(Qt::Key key) { QTest::keyClick(window_.get(), key, Qt::ControlModifier | Qt::AltModifier); }
    static QString copied() { return QGuiApplication::clipboard()->text(); }
    /// Chooses the entry with that text in the menu that `ask` opens.
    template <typename Ask> void chooseFromMenu(const QString& entry, Ask ask) {
        bool is_found = false;
        QTimer timer;
        connect(&timer, &QTimer::timeout, this, [&] {
            auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
            if (!menu) return;
            timer.stop();
            for (QAction* each : menu->actions())
                if (each->text().remove(QLatin1Char('&')) == entry) {
                    is_found = each->isEnabled();
                    menu->setActiveAction(each);
                    QTest::keyClick(menu, Qt::Key_Return);
                    return;
                }
            menu->close();
        });
        timer.start(20);
        ask();
        QVERIFY2(is_found, qPrintable(entry));
    }
    static void askAt(QWidget* widget, const QPoint& place) {
        QContextMenuEvent event(QContextMenuEvent::Mouse, place, widget->mapToGlobal(place));
        QCoreApplication::sendEvent(widget, &event);
    }

    std::unique_ptr<QTemporaryDir> folder_;
    std::unique_ptr<QSettings> settings_;
    std::unique_ptr<MainWindow> window_;
};

void TestCopyAs::byKeys() {
    document().runToEnd();
    document().select(nodeNamed(document(), "squared"));
    press(Qt::Key_N);
    QCOMPARE(copied(), QStringLiteral("squared"));
    press(Qt::Key_X);
    QVERIFY2(copied().startsWith(QStringLiteral("%squared : [num_users=")), qPrintable(copied()));
    press(Qt::Key_B);
    QVERIFY2(copied().startsWith(QStringLiteral("`%squared` (`aten.")), qPrintable(copied()));
    QVERIFY(copied().contains(QStringLiteral("```python\n# %squared")));
    QVERIFY(copied().endsWith(QStringLiteral("```\n")));
}

void TestCopyAs::minimalGraphIsDecidedAlike() {
    document().runToEnd();
    int copies = 0;
    for (const Decision& decision : document().session()->decisions()) {
        document().select(decision.node);
        press(Qt::Key_M);
        const auto read = read_text(copied().toStdString());
        QVERIFY2(read, qPrintable(copied()));
        const std::string name = document().node(decision.node)->name;
        const auto session = ReinplaceSession::start(read->graphs.front(), {.policy = "sound", .first = {}, .choices = {}, .donated = {}});
        (*session)->run_to_end();
        for (const Decision& again : (*session)->decisions()) {
            if ((*session)->original().node(again.node).name != name) continue;
            QCOMPARE(text_id(again.verdict), text_id(decision.verdict));
            QCOMPARE(text_id(again.reason), text_id(decision.reason));
            ++copies;
        }
    }
    QCOMPARE(copies, static_cast<int>(document().session()->decisions().size()));
}

void TestCopyAs::offWithAReason() {
    document().select(nodeNamed(document(), "squared"));
    QVERIFY(action("edit.copy-name")->isEnabled());
    QVERIFY(!action("edit.copy-minimal")->isEnabled());
    QVERIFY(action("edit.copy-minimal")->toolTip().contains(QStringLiteral("no decision is made on the selected node yet")));
    document().throughNode(nodeNamed(document(), "squared"));
    QVERIFY(action("edit.copy-minimal")->isEnabled());
    document().select(no_node);
    QVERIFY(!action("edit.copy-name")->isEnabled());
}

void TestCopyAs::failureIsAMessage() {
    document().markExported();
    QSignalSpy opened(&document(), &Document::opened);
    window_->openFile(referenceFile(QStringLiteral("buffer-counter/before.pt2")));
    QVERIFY(opened.wait(30'000));
    document().runToEnd();
    document().select(nodeNamed(document(), "add")); // may write a buffer, as the signature says
    press(Qt::Key_M);
    QVERIFY(window_->messageBar()->isVisible());
    QVERIFY2(window_->messageBar()->text().startsWith(QStringLiteral("Not copied: ")), qPrintable(window_->messageBar()->text()));
    QVERIFY(copied().isEmpty());
}

void TestCopyAs::fromContextMenus() {
    document().runToEnd();
    const NodeId squared = nodeNamed(document(), "squared");
    GraphView* canvas = window_->canvas();
    canvas->fit();
    chooseFromMenu(QStringLiteral("Copy node's name"), [&] { askAt(canvas->viewport(), canvas->viewPositionOf(squared)); });
    QCOMPARE(copied(), QStringLiteral("squared"));

    document().select(nodeNamed(document(), "grown"));
    auto* list = window_->findChild<QTreeView*>(QStringLiteral("nodeList"));
    chooseFromMenu(QStringLiteral("Copy FX line"), [&] { askAt(list->viewport(), list->visualRect(list->currentIndex()).center()); });
    QVERIFY2(copied().startsWith(QStringLiteral("%grown : ")), qPrintable(copied()));

    document().select(squared);
    auto* page = window_->findChild<QTextBrowser*>(QStringLiteral("decisionPage"));
    chooseFromMenu(QStringLiteral("Copy minimal graph"), [&] { askAt(page->viewport(), QPoint(20, 20)); });
    QVERIFY2(copied().startsWith(QStringLiteral("# %squared")), qPrintable(copied()));

    window_->dock(QStringLiteral("code"))->reveal();
    auto* code = window_->findChild<CodeView*>();
    document().select(nodeNamed(document(), "grown"));
    chooseFromMenu(QStringLiteral("Copy node's name"), [&] { askAt(code->viewport(), QPoint(40, code->viewport()->height() / 2)); });
    QCOMPARE(copied(), QString::fromStdString(document().node(document().selected())->name));
}

QTEST_MAIN(TestCopyAs)
#include "test_copy_as.moc"
