#include "ui/main_window/main_window.h"

#include <algorithm>

#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QCloseEvent>
#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QLocale>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QScreen>
#include <QSettings>
#include <QStackedWidget>
#include <QStatusBar>
#include <QStyleHints>
#include <QTabBar>
#include <QToolBar>
#include <QToolButton>
#include <QUndoView>
#include <QVBoxLayout>

#include "core/graph/print.h"
#include "ui/appearance/counted.h"
#include "ui/code/code_panel.h"
#include "ui/compile_log/comparison_panel.h"
#include "ui/compile_log/compile_log_panel.h"
#include "ui/decisions/decision_page.h"
#include "ui/decisions/decision_panel.h"
#include "ui/decompose/decompose_panel.h"
#include "ui/document/describe.h"
#include "ui/document/made_program.h"
#include "ui/functionalize/functional_file.h"
#include "ui/functionalize/round_trip_panel.h"
#include "ui/functionalize/round_trip_question.h"
#include "ui/graph_view/graph_view.h"
#include "ui/inspector/inspector_panel.h"
#include "ui/level/level_panel.h"
#include "ui/main_window/action_finder.h"
#include "ui/main_window/examples.h"
#include "ui/main_window/export_graph.h"
#include "ui/main_window/log_panel.h"
#include "ui/main_window/message_bar.h"
#include "ui/main_window/node_search.h"
#include "ui/main_window/panel_dock.h"
#include "ui/main_window/start_page.h"
#include "ui/main_window/status_line.h"
#include "ui/memory/memory_panel.h"
#include "ui/node_list/node_list_panel.h"
#include "ui/program/program_panel.h"
#include "ui/session_files/save_document.h"
#include "ui/storages/storages_panel.h"
#include "ui/symbols/symbols_panel.h"
#include "ui/verify/verify_panel.h"

namespace inspector {
namespace {

// Raised whenever the set of docks and tool bars changes: an older layout is not restored.
constexpr int layout_version = 7;

QString text(std::string_view words) { return QString::fromUtf8(words.data(), static_cast<qsizetype>(words.size())); }

/// A file the program has made to open it: nothing to remember, nowhere to save beside.
bool isTemporary(const QString& path) { return isExampleFile(path) || isMadeFile(path); }

/// Asks where to write; empty where the person thinks better of it.
template <typename Formats>
QString askForPath(QWidget* parent, const QString& title, const QString& folder, const Formats& formats, const QString& name) {
    QStringList filters;
    for (const auto& format : formats) filters << QStringLiteral("%1 (*.%2)").arg(format.title, format.suffix);
    QFileDialog dialog(parent, title, folder);
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.setNameFilters(filters);
    dialog.setDefaultSuffix(formats.front().suffix);
    dialog.selectFile(name);
    QObject::connect(&dialog, &QFileDialog::filterSelected, &dialog, [&](const QString& filter) {
        const auto chosen = static_cast<std::size_t>(std::max<qsizetype>(0, filters.indexOf(filter)));
        dialog.setDefaultSuffix(formats[chosen].suffix);
    });
    return dialog.exec() == QDialog::Accepted ? dialog.selectedFiles().constFirst() : QString();
}

} // namespace

MainWindow::MainWindow(QSettings* settings, const QString& autosaves, QWidget* parent)
    : QMainWindow(parent), settings_(settings), autosave_(&document_, autosaves), recent_(settings),
      actions_(new Actions(this)) {
    setTheme(static_cast<Theme>(settings_->value(QStringLiteral("theme"), 0).toInt()));
    setAcceptDrops(true);
    setDockNestingEnabled(true);
    makeCentre();
    makeDocks();
    makeMenus();
    makeToolBar();
    statusBar()->addWidget(new StatusLine(&document_, this), 1);
    connectActions();
    connectDocument();

    groupPanels();
    layout()->activate(); // panels that stand side by side no longer keep the window wide
    // Most of a large screen; what the smallest has, but for the frame: the tabs at the bottom need the width.
    const QSize room = screen()->availableSize();
    resize((room * 0.8).expandedTo(QSize(1280, 800)).boundedTo(QSize(room.width() * 99 / 100, room.height() * 95 / 100)));
    sharePanels();
    firstLayout_ = saveState(layout_version);
    restoreGeometry(settings_->value(QStringLiteral("geometry")).toByteArray());
    restoreState(settings_->value(QStringLiteral("layout")).toByteArray(), layout_version);
    updateTitle();
    updateAvailability();
    if (!autosaves.isEmpty()) abandoned_ = abandonedSessions(autosaves);
    offerRestoring();
}

MainWindow::~MainWindow() {
    // Panels ask the document, which would end before them.
    hide();
    qDeleteAll(docks_);
    docks_.clear();
    // The undo stack tells of its end, when most of the window is gone.
    disconnect(document_.undoStack(), nullptr, this, nullptr);
}

// --- parts -----------------------------------------------------------------------------------------------------------

void MainWindow::makeCentre() {
    restoring_ = new MessageBar;
    restoring_->setObjectName(QStringLiteral("restoringBar"));
    messages_ = new MessageBar;
    canvas_ = new GraphView(&document_);
    canvas_->setAcceptDrops(false); // files dropped on it are the window's
    auto* start = new StartPage((*actions_)[QStringLiteral("file.open")], &recent_);
    connect(start, &StartPage::fileChosen, this, &MainWindow::openFile);
    centre_ = new QStackedWidget;
    centre_->addWidget(start);
    centre_->addWidget(canvas_);

    auto* column = new QWidget;
    auto* layout = new QVBoxLayout(column);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(messages_);
    layout->addWidget(restoring_);
    layout->addWidget(centre_, 1);
    setCentralWidget(column);
    connect(messages_, &MessageBar::cancelled, this, [this] {
        restored_.reset();
        document_.cancelOpening();
    });
    connect(restoring_, &MessageBar::accepted, this, &MainWindow::restore);
    connect(restoring_, &MessageBar::declined, this, [this] {
        discard(abandoned_.front());
        abandoned_.erase(abandoned_.begin());
        offerRestoring();
    });
}

void MainWindow::makeDocks() {
    const auto add = [this](const char* id, const QString& title, Qt::DockWidgetArea area,
                            std::function<QWidget*()> make) {
        auto* dock = new PanelDock(QString::fromUtf8(id), title, std::move(make), this);
        addDockWidget(area, dock);
        dock->installEventFilter(this);
        connect(dock, &QDockWidget::visibilityChanged, this, [this, dock](bool is_visible) {
            if (is_visible) tall_.shown(dock);
        });
        docks_ << dock;
    };
    add("nodes", tr("Nodes"), Qt::LeftDockWidgetArea, [this] { return new NodeListPanel(&document_); });
    add("storages", tr("Storages"), Qt::LeftDockWidgetArea, [this] { return new StoragesPanel(&document_); });
    add("decision", tr("Decision"), Qt::RightDockWidgetArea, [this] {
        QList<QAction*> choices;
        for (const char* id : {"decide.accept", "decide.skip", "decide.force", "decide.why"})
            choices << (*actions_)[QString::fromUtf8(id)];
        return new DecisionPanel(&document_, choices);
    });
    add("code", tr("Code"), Qt::BottomDockWidgetArea, [this] { return new CodePanel(&document_); });
    add("program", tr("Program"), Qt::BottomDockWidgetArea, [this] { return new ProgramPanel(&document_); });
    add("inspector", tr("Inspector"), Qt::BottomDockWidgetArea, [this] { return new InspectorPanel(&document_); });
    add("verify", tr("Verify"), Qt::BottomDockWidgetArea, [this] {
        auto* panel = new VerifyPanel(&document_, &verification_, (*actions_)[QStringLiteral("verify.run")],
                                      (*actions_)[QStringLiteral("verify.stop")]);
        connect(panel, &VerifyPanel::requestChanged, this, &MainWindow::updateAvailability);
        return panel;
    });
    add("memory", tr("Memory"), Qt::BottomDockWidgetArea, [this] { return new MemoryPanel(&document_); });
    add("history", tr("History"), Qt::BottomDockWidgetArea, [this] {
        auto* view = new QUndoView(document_.undoStack());
        view->setObjectName(QStringLiteral("history"));
        view->setFrameShape(QFrame::NoFrame);
        view->setEmptyLabel(tr("As opened. Steps and choices will be listed here; choose one to go back to it."));
        return view;
    });
    add("log", tr("Log"), Qt::BottomDockWidgetArea, [this] {
        auto* panel = new LogPanel(log_);
        connect(this, &MainWindow::logged, panel, &QPlainTextEdit::appendPlainText);
        return panel;
    });
    add("compiles", tr("Compiles"), Qt::LeftDockWidgetArea, [this] {
        auto* panel = new CompileLogPanel(&document_);
        connect(panel, &CompileLogPanel::comparisonWanted, this, &MainWindow::compareGraphs);
        return panel;
    });
    add("comparison", tr("Comparison"), Qt::BottomDockWidgetArea, [this] { return new ComparisonPanel(&document_); });
    add("round-trip", tr("Round trip"), Qt::BottomDockWidgetArea, [this] {
        QList<QAction*> buttons;
        for (const char* id : {"trip.restart", "trip.back", "trip.step", "trip.end", "", "trip.verify", "trip.export", "trip.open"})
            buttons << (*id ? (*actions_)[QString::fromUtf8(id)] : nullptr);
        return new RoundTripPanel(&document_, &roundTrip_, &equivalence_, buttons);
    });
    add("level", tr("IR level"), Qt::BottomDockWidgetArea, [this] { return new LevelPanel(&document_); });
    add("symbols", tr("Symbols"), Qt::BottomDockWidgetArea,
        [this] { return new SymbolsPanel(&document_, (*actions_)[QStringLiteral("symbols.reset")]); });
    add("decompose", tr("Decompose"), Qt::BottomDockWidgetArea, [this] {
        QList<QAction*> buttons;
        for (const char* id : {"decompose.verify", "decompose.export", "decompose.open"}) buttons << (*actions_)[QString::fromUtf8(id)];
        return new DecomposePanel(&document_, &decomposition_, &decomposedEquivalence_, buttons);
    });
}

void MainWindow::groupPanels() {
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea); // the decision gets the whole height
    setTabPosition(Qt::BottomDockWidgetArea, QTabWidget::North);
    tabifyDockWidget(dock(QStringLiteral("nodes")), dock(QStringLiteral("compiles")));
    dock(QStringLiteral("nodes"))->raise();
    for (const char* id : {"program", "inspector", "level", "symbols", "comparison", "round-trip", "decompose", "verify", "memory", "history", "log"})
        tabifyDockWidget(dock(QStringLiteral("code")), dock(QString::fromUtf8(id)));
    dock(QStringLiteral("code"))->raise();
}

void MainWindow::sharePanels() {
    resizeDocks({dock(QStringLiteral("nodes")), dock(QStringLiteral("decision"))},
                {std::max(300, width() * 16 / 100), std::max(380, width() * 20 / 100)}, Qt::Horizontal);
    resizeDocks({dock(QStringLiteral("nodes")), dock(QStringLiteral("storages"))}, {280, 200}, Qt::Vertical);
    resizeDocks({dock(QStringLiteral("code"))}, {height() * 30 / 100}, Qt::Vertical);
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    if (isVisible()) growPanels(event->oldSize(), event->size());
    settledSize_ = size();
    for (const PanelDock* panel : docks_) panelSizes_[panel] = panel->size();
}

bool MainWindow::eventFilter(QObject* watched, QEvent* event) {
    // While the window's own size changes, its layout has squeezed panels before it tells.
    const auto* panel = event->type() == QEvent::Resize ? qobject_cast<PanelDock*>(watched) : nullptr;
    if (panel && size() == settledSize_) panelSizes_[panel] = panel->size();
    return QMainWindow::eventFilter(watched, event);
}

void MainWindow::growPanels(const QSize& before, const QSize& now) {
    if (before.isEmpty()) return;
    // By itself, Qt gives all that is gained to the canvas. Only a large step is shared out: that of a window that is
    // maximised, and not each pixel of an edge that is dragged, whose roundings would add up.
    constexpr int large_step = 200;
    const auto isLarge = [](int from, int to) { return std::abs(to - from) >= large_step; };
    if (isLarge(before.width(), now.width()))
        for (const char* id : {"nodes", "decision"}) {
            PanelDock* panel = dock(QString::fromUtf8(id));
            if (panel->isFloating() || !panel->isVisible()) continue;
            resizeDocks({panel}, {panelSizes_[panel].width() * now.width() / before.width()}, Qt::Horizontal);
        }
    if (!isLarge(before.height(), now.height())) return;
    for (PanelDock* panel : docks_) {
        // Tabbed panels behind another lie outside of the window.
        if (dockWidgetArea(panel) != Qt::BottomDockWidgetArea || !panel->isVisible() || !panel->geometry().intersects(rect())) continue;
        panel->setHeight(panelSizes_[panel].height() * now.height() / before.height());
        tall_.grown(before.height(), now.height());
        break;
    }
}

void MainWindow::childEvent(QChildEvent* event) {
    QMainWindow::childEvent(event);
    // Qt makes the bars of tabbed panels as they are needed, and cuts their names; better they scroll.
    auto* tabs = event->type() == QEvent::ChildPolished ? qobject_cast<QTabBar*>(event->child()) : nullptr;
    if (!tabs) return;
    tabs->setElideMode(Qt::ElideNone);
    tabs->setUsesScrollButtons(true);
}

PanelDock* MainWindow::dock(const QString& id) const {
    for (PanelDock* dock : docks_)
        if (dock->objectName() == id) return dock;
    return nullptr;
}

void MainWindow::makeMenus() {
    const auto menu = [this](const QString& title) {
        QMenu* made = menuBar()->addMenu(title);
        made->setToolTipsVisible(true);
        return made;
    };
    const auto add = [this](QMenu* to, std::initializer_list<const char*> ids) {
        for (const char* id : ids) {
            if (*id) to->addAction((*actions_)[QString::fromUtf8(id)]);
            else to->addSeparator();
        }
    };

    QMenu* file = menu(tr("&File"));
    add(file, {"file.open"});
    recentMenu_ = file->addMenu(tr("Open &recent"));
    recentMenu_->setToolTipsVisible(true);
    add(file, {"file.open-folder"});
    QMenu* examples_menu = file->addMenu(tr("E&xamples"));
    examples_menu->setToolTipsVisible(true);
    for (const Example& example : examples()) {
        QAction* action = examples_menu->addAction(example.title, this, [this, &example] { openFile(exampleFile(example)); });
        Actions::describe(action, example.about);
    }
    add(file, {"", "file.save", "file.save-as", "file.export", "", "file.quit"});

    add(menu(tr("&Edit")), {"edit.undo", "edit.redo", "", "edit.copy", "edit.copy-name",
                            "edit.copy-line", "edit.copy-minimal", "edit.copy-report", "edit.paste", "", "edit.search", "edit.all-actions"});

    QMenu* view = menu(tr("&View"));
    // The two that reveal edges stand with the graph's actions.
    QList<QAction*> view_actions = canvas_->viewActions();
    const QList<QAction*> reveal_actions = view_actions.mid(4, 2);
    view_actions.remove(4, 2);
    view->addActions(view_actions);
    add(view, {"view.clear-highlight", ""});
    QMenu* panels = view->addMenu(tr("&Panels"));
    for (int i = 0; i < docks_.size(); ++i) {
        QAction* toggle = docks_[i]->toggleViewAction();
        toggle->setShortcut(QKeySequence(i < 10 ? QStringLiteral("Alt+%1").arg((i + 1) % 10) : QStringLiteral("Alt+Shift+%1").arg(i - 9)));
        Actions::describe(toggle, tr("Show or hide the panel %1").arg(docks_[i]->windowTitle()));
        panels->addAction(toggle);
    }
    QMenu* theme = view->addMenu(tr("&Theme"));
    add(theme, {"view.theme-system", "view.theme-light", "view.theme-dark"});
    auto* themes = new QActionGroup(this);
    for (QAction* action : theme->actions()) {
        action->setCheckable(true);
        themes->addAction(action);
    }
    theme->actions().at(settings_->value(QStringLiteral("theme"), 0).toInt() % 3)->setChecked(true);
    add(view, {"", "view.reset-layout"});

    QMenu* step = menu(tr("&Step"));
    add(step, {"step.restart", "step.back", "", "step.check", "step.node", "step.rewrite", "step.miss", "step.here",
               "step.end", "", "decide.accept", "decide.skip", "decide.force", "decide.leave", "decide.why", "",
               "verify.run", "verify.stop", ""});
    QMenu* policy = step->addMenu(tr("&Policy"));
    policy->setToolTipsVisible(true);
    policyActions_ = new QActionGroup(this);
    int number = 1;
    for (const PolicyInfo& info : policies()) {
        QAction* action = policy->addAction(text(info.id));
        action->setCheckable(true);
        action->setShortcut(QKeySequence(QStringLiteral("Ctrl+%1").arg(number++)));
        Actions::describe(action, text(info.about));
        policyActions_->addAction(action);
    }
    connect(policyActions_, &QActionGroup::triggered, this, [this](QAction* action) { document_.setPolicy(action->text()); });

    graphMenu_ = menu(tr("&Graph"));
    add(graphMenu_, {"graph.current", "graph.previous", "graph.next"});
    graphMenu_->addActions(reveal_actions);
    add(graphMenu_, {"", "level.show", "symbols.show", "symbols.reset", "", "trip.show"});
    QMenu* trip = graphMenu_->addMenu(tr("&Functionalization"));
    trip->setToolTipsVisible(true);
    add(trip, {"trip.restart", "trip.back", "", "trip.step", "trip.end", "", "trip.verify", "trip.stop", "", "trip.export", "trip.open"});
    add(graphMenu_, {"decompose.show"});
    QMenu* decomposition = graphMenu_->addMenu(tr("De&composition"));
    decomposition->setToolTipsVisible(true);
    add(decomposition, {"decompose.verify", "decompose.stop", "", "decompose.export", "decompose.open"});
    add(graphMenu_, {"", "graph.previous-graph", "graph.next-graph", "graph.compare", ""});
    graphActions_ = new QActionGroup(this);
    connect(graphActions_, &QActionGroup::triggered, this,
            [this](QAction* action) { document_.showGraph(action->data().toULongLong()); });

    add(menu(tr("&Help")), {"help.keys", "help.about"});

    connect(&recent_, &RecentFiles::changed, this, &MainWindow::fillRecentMenu);
    fillRecentMenu();
}

void MainWindow::fillRecentMenu() {
    recentMenu_->clear();
    int number = 1;
    for (const QString& path : recent_.paths()) {
        QAction* action = recentMenu_->addAction(QStringLiteral("&%1  %2").arg(number++ % 10).arg(QFileInfo(path).fileName().replace(QLatin1Char('&'), QLatin1String("&&"))),
                                                 this, [this, path] { openFile(path); });
        Actions::describe(action, path);
    }
    recentMenu_->setEnabled(!recentMenu_->isEmpty());
    recentMenu_->menuAction()->setToolTip(recentMenu_->isEmpty() ? tr("No file has been opened yet") : QString());
    if (recentMenu_->isEmpty()) return;
    recentMenu_->addSeparator();
    recentMenu_->addAction(tr("&Clear this list"), &recent_, &RecentFiles::clear);
}

void MainWindow::fillGraphMenu() {
    qDeleteAll(graphActions_->actions());
    const std::vector<ProgramGraph>& graphs = document_.program()->graphs;
    constexpr std::size_t most = 30; // a log holds hundreds; the program panel lists them all
    for (std::size_t i = 0; i < std::min(graphs.size(), most); ++i) {
        QAction* action = graphMenu_->addAction(text(graphs[i].id));
        action->setCheckable(true);
        action->setChecked(i == document_.graphIndex());
        action->setData(QVariant::fromValue<qulonglong>(i));
        action->setObjectName(QStringLiteral("graph"));
        Actions::describe(action, graphs[i].is_read ? counted(graphs[i].graph.size(), tr("Show this graph: %1 node"), tr("Show this graph: %1 nodes")) : tr("Read and show this graph"));
        graphActions_->addAction(action);
    }
}

void MainWindow::makeToolBar() {
    QToolBar* bar = addToolBar(tr("Steps"));
    bar->setObjectName(QStringLiteral("steps"));
    bar->setIconSize(QSize(20, 20));
    const auto add = [this, bar](std::initializer_list<const char*> ids, Qt::ToolButtonStyle style) {
        for (const char* id : ids) {
            QAction* action = (*actions_)[QString::fromUtf8(id)];
            bar->addAction(action);
            qobject_cast<QToolButton*>(bar->widgetForAction(action))->setToolButtonStyle(style);
        }
        bar->addSeparator();
    };
    add({"file.open", "file.save", "file.export"}, Qt::ToolButtonIconOnly);
    add({"edit.undo", "edit.redo"}, Qt::ToolButtonIconOnly);
    add({"step.restart", "step.back"}, Qt::ToolButtonTextBesideIcon);
    add({"step.check", "step.node", "step.rewrite", "step.miss", "step.here", "step.end"}, Qt::ToolButtonTextBesideIcon);
    add({"verify.run"}, Qt::ToolButtonTextBesideIcon);

    policy_ = new QComboBox;
    policy_->setObjectName(QStringLiteral("policy"));
    policy_->setAccessibleName(tr("Policy"));
    for (const PolicyInfo& info : policies()) {
        policy_->addItem(tr("policy: %1").arg(text(info.id)), text(info.id));
        policy_->setItemData(policy_->count() - 1, text(info.about), Qt::ToolTipRole);
    }
    policy_->setFocusPolicy(Qt::ClickFocus);
    bar->addWidget(policy_);
    connect(policy_, &QComboBox::activated, this, [this] { document_.setPolicy(policy_->currentData().toString()); });

    auto* space = new QWidget;
    space->setFixedWidth(8);
    bar->addWidget(space);
    search_ = new NodeSearch(&document_);
    search_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    bar->addWidget(search_);
}

void MainWindow::setTheme(Theme theme) {
    settings_->setValue(QStringLiteral("theme"), static_cast<int>(theme));
    applyTheme(theme);
}

// --- connections -----------------------------------------------------------------------------------------------------

void MainWindow::connectActions() {
    const auto on = [this](const char* id, auto&& run) {
        connect((*actions_)[QString::fromUtf8(id)], &QAction::triggered, this, run);
    };
    on("file.open", [this] { chooseFile(); });
    on("file.open-folder", [this] { chooseFolder(); });
    on("file.save", [this] { save(); });
    on("file.save-as", [this] { saveAs(); });
    on("file.export", [this] { chooseExport(); });
    on("file.quit", [this] { close(); });
    on("edit.undo", [this] { document_.undoStack()->undo(); });
    on("edit.redo", [this] { document_.undoStack()->redo(); });
    on("edit.copy", [this] {
        QGuiApplication::clipboard()->setText(QString::fromStdString(print_fx(document_.session()->graph())));
        statusBar()->showMessage(tr("The rewritten graph is on the clipboard"), 4000);
    });
    on("edit.copy-name", [this] { copyAs(CopyForm::name); });
    on("edit.copy-line", [this] { copyAs(CopyForm::fx_line); });
    on("edit.copy-minimal", [this] { copyAs(CopyForm::minimal_graph); });
    on("edit.copy-report", [this] { copyAs(CopyForm::bug_report); });
    connect(&document_, &Document::copyWanted, this, [this](int form) { copyAs(static_cast<CopyForm>(form)); });
    on("edit.paste", [this] { pasteGraph(); });
    on("edit.search", [this] { search_->begin(); });
    on("edit.all-actions", [this] { (new ActionFinder(menuBar(), this))->open(); });
    on("help.keys", [this] { (new ActionFinder(menuBar(), this))->open(); });
    on("help.about", [this] {
        QMessageBox::about(this, tr("About Reinplace Inspector"),
                           tr("<b>Reinplace Inspector %1</b><p>Shows, step by step and with evidence, which operations of a PyTorch "
                              "graph can be done in place.</p><p>Qt %2</p>")
                               .arg(QCoreApplication::applicationVersion(), QString::fromUtf8(qVersion())));
    });
    on("view.clear-highlight", [this] { document_.highlight({}); });
    on("view.theme-system", [this] { setTheme(Theme::system); });
    on("view.theme-light", [this] { setTheme(Theme::light); });
    on("view.theme-dark", [this] { setTheme(Theme::dark); });
    on("view.reset-layout", [this] {
        tall_.forget();
        restoreState(firstLayout_, layout_version);
    });
    on("step.restart", [this] { document_.restart(); });
    on("step.back", [this] { document_.stepBack(); });
    on("step.check", [this] { document_.stepCheck(); });
    on("step.node", [this] { document_.stepNode(); });
    on("step.rewrite", [this] { document_.toNextRewrite(); });
    on("step.miss", [this] { document_.toNextMiss(); });
    on("step.here", [this] { document_.toNode(document_.selected()); });
    on("step.end", [this] { document_.runToEnd(); });
    on("decide.accept", [this] { document_.decide(document_.focused(), Choice::accept); });
    on("decide.skip", [this] { document_.decide(document_.focused(), Choice::skip); });
    on("decide.force", [this] { document_.decide(document_.focused(), Choice::force); });
    on("decide.leave", [this] { document_.choose(document_.focused(), Choice::policy); });
    on("decide.why", [this] { whyNot(); });
    on("verify.run", [this] { verify(); });
    on("verify.stop", [this] { verification_.cancel(); });
    on("graph.current", [this] { document_.select(document_.session()->current()); });
    on("graph.previous", [this] { selectBeside(-1); });
    on("graph.next", [this] { selectBeside(1); });
    on("graph.previous-graph", [this] { showGraphBeside(-1); });
    on("graph.next-graph", [this] { showGraphBeside(1); });
    on("level.show", [this] { dock(QStringLiteral("level"))->reveal(); });
    on("symbols.show", [this] { dock(QStringLiteral("symbols"))->reveal(); });
    on("symbols.reset", [this] { document_.forgetRanges(); });
    on("trip.show", [this] { showRoundTrip(); });
    on("trip.restart", [this] { roundTrip_.restart(); });
    on("trip.back", [this] { roundTrip_.stepBack(); });
    on("trip.step", [this] { roundTrip_.step(); });
    on("trip.end", [this] { roundTrip_.runToEnd(); });
    on("trip.verify", [this] { equivalence_.start(roundTripQuestion(document_, roundTrip_.epilogue())); });
    on("trip.stop", [this] { equivalence_.cancel(); });
    on("trip.export", [this] { chooseFunctionalExport(); });
    on("trip.open", [this] { openFunctional(); });
    on("decompose.show", [this] { showDecomposition(); });
    on("decompose.verify", [this] { decomposedEquivalence_.start(decomposition_.question()); });
    on("decompose.stop", [this] { decomposedEquivalence_.cancel(); });
    on("decompose.export", [this] { chooseDecomposedExport(); });
    on("decompose.open", [this] { openDecomposed(); });
    on("graph.compare", [this] { dock(QStringLiteral("comparison"))->reveal(); });
#if QT_VERSION >= QT_VERSION_CHECK(6, 5, 0)
    connect(QGuiApplication::styleHints(), &QStyleHints::colorSchemeChanged, this, [this] {
        if (settings_->value(QStringLiteral("theme")).toInt() == static_cast<int>(Theme::system)) applyTheme(Theme::system);
    });
#endif
}

void MainWindow::connectDocument() {
    // Opening a small file takes a blink; only what takes longer is worth a bar.
    progressDelay_.setSingleShot(true);
    progressDelay_.setInterval(250);
    connect(&progressDelay_, &QTimer::timeout, this,
            [this] { messages_->showProgress(tr("Reading the file and what is known of its values…"), progress_); });
    connect(&document_, &Document::openingChanged, this, &MainWindow::showProgress);
    // The file of a restored session is kept up to date from now on; one that cannot be read stays for another time.
    connect(&document_, &Document::opened, this, [this] {
        if (restored_) autosave_.adopt(*std::exchange(restored_, std::nullopt));
    });
    connect(&document_, &Document::opened, this, &MainWindow::showOpened);
    connect(&document_, &Document::openFailed, this, [this](const QString& message) {
        restored_.reset();
        messages_->showError(message);
        log(tr("Refused: %1").arg(message));
    });
    connect(&document_, &Document::modifiedChanged, this, &QWidget::setWindowModified);
    connect(&document_, &Document::graphShown, this, [this] {
        fillGraphMenu();
        updateTitle();
        updateAvailability();
        log(tr("Shown: graph %1 under policy %2").arg(text(document_.source()->id), document_.policy()));
    });
    connect(&document_, &Document::stepped, this, &MainWindow::updateAvailability);
    connect(&document_, &Document::selectionChanged, this, &MainWindow::updateAvailability);
    connect(&document_, &Document::highlightChanged, this, &MainWindow::updateAvailability);
    connect(document_.undoStack(), &QUndoStack::indexChanged, this, &MainWindow::updateAvailability);
    connect(&autosave_, &Autosave::failed, this, [this](const QString& message) { log(tr("Not kept: %1").arg(message)); });
    connect(&verification_, &VerificationRun::changed, this, &MainWindow::updateAvailability);
    connect(&roundTrip_, &RoundTripSession::prepared, this, &MainWindow::updateAvailability);
    connect(&roundTrip_, &RoundTripSession::prepared, &equivalence_, &EquivalenceRun::drop); // perhaps of another epilogue
    connect(&roundTrip_, &RoundTripSession::prepared, this, [this] { tall_.update(); });
    connect(&roundTrip_, &RoundTripSession::stepped, this, &MainWindow::updateAvailability);
    connect(&equivalence_, &EquivalenceRun::changed, this, &MainWindow::updateAvailability);
    connect(&decomposition_, &DecompositionRun::prepared, this, &MainWindow::updateAvailability);
    connect(&decomposition_, &DecompositionRun::prepared, &decomposedEquivalence_, &EquivalenceRun::drop);
    connect(&decomposition_, &DecompositionRun::prepared, this, [this] { tall_.update(); });
    connect(&decomposedEquivalence_, &EquivalenceRun::changed, this, &MainWindow::updateAvailability);
    connect(&verification_, &VerificationRun::ended, this, [this] {
        const VerificationReport& report = *verification_.report();
        log(report.isCancelled ? tr("Verification stopped") : tr("Verified: %1").arg(text(report.verification.detail)));
    });
}

void MainWindow::showProgress(bool isOpening, int percent) {
    progress_ = percent;
    if (!isOpening) {
        progressDelay_.stop();
        messages_->endProgress();
    } else if (messages_->isVisible() && messages_->isProgress()) {
        progressDelay_.stop();
        messages_->showProgress(messages_->text(), percent);
    } else if (!progressDelay_.isActive()) {
        progressDelay_.start();
    }
    updateAvailability();
}

void MainWindow::showOpened() {
    messages_->hide();
    centre_->setCurrentWidget(canvas_);
    fillGraphMenu();
    updateTitle();
    updateAvailability();

    const Program& program = *document_.program();
    const ProgramGraph& source = *document_.source();
    const QString nodes = counted(source.graph.size(), tr("%1 node"), tr("%1 nodes"));
    const QString shown = program.graphs.size() == 1
        ? nodes
        : tr("%1 graphs, shown is %2 with %3").arg(QString::number(program.graphs.size()), text(source.id), nodes);
    log(tr("Opened %1 (%2) in %3 ms: %4").arg(document_.path(), text(program.format), QString::number(opening_.elapsed()), shown));
    for (const std::string& note : program.notes) log(tr("Note: %1").arg(text(note)));
    for (const std::string& note : document_.notes()) log(tr("Note: %1").arg(text(note)));
    if (program.archive && !program.archive->is_at_hand)
        messages_->showInformation(tr("Something is missing: %1").arg(text(program.notes.back())));
    for (const auto& [symbol, size] : document_.session()->facts().assumed())
        log(tr("Note: the file gives no sample size for %1; %2 is assumed").arg(text(symbol), QString::number(size)));
    if (document_.isFile() && !isTemporary(document_.path())) recent_.add(document_.path());
    if (CompileLogPanel::isWorthShowing(program)) dock(QStringLiteral("compiles"))->reveal();
}

void MainWindow::updateTitle() {
    if (document_.isEmpty()) {
        setWindowTitle(tr("Reinplace Inspector"));
        return;
    }
    QString file = QFileInfo(document_.path()).fileName();
    file.replace(QLatin1String("[*]"), QLatin1String("[*][*]")); // else the mark of what is modified
    const bool has_several = document_.program()->graphs.size() > 1;
    const QString shown = has_several ? QStringLiteral("%1 › %2").arg(file, text(document_.source()->id)) : file;
    setWindowTitle(QStringLiteral("%1[*] – %2").arg(shown, tr("Reinplace Inspector")));
}

void MainWindow::updateAvailability() {
    const auto set = [this](std::initializer_list<const char*> ids, const QString& reason) {
        for (const char* id : ids) actions_->setUnavailable(QString::fromUtf8(id), reason);
    };
    const ReinplaceSession* session = document_.session();
    const QString empty = session ? QString() : tr("no graph is open");
    const auto unless_empty = [&empty](const QString& reason) { return empty.isEmpty() ? reason : empty; };

    const bool at_end = session && session->at_end();
    const bool at_start = session && session->position() == 0 && session->checks_asked() == 0;
    set({"file.save", "file.save-as", "file.export", "edit.copy", "edit.search"}, empty);
    set({"step.check", "step.node", "step.rewrite", "step.miss", "step.end", "graph.current"},
        unless_empty(at_end ? tr("all decisions are made") : QString()));
    set({"step.restart", "step.back"}, unless_empty(at_start ? tr("no decision is made yet") : QString()));
    set({"edit.undo"}, document_.undoStack()->canUndo() ? QString() : tr("there is nothing to take back"));
    set({"edit.redo"}, document_.undoStack()->canRedo() ? QString() : tr("nothing has been taken back"));
    set({"view.clear-highlight"}, document_.highlighted().empty() ? tr("nothing is highlighted") : QString());

    const NodeId selected = document_.selected();
    const std::pair<const char*, CopyForm> copies[] = {{"edit.copy-name", CopyForm::name}, {"edit.copy-line", CopyForm::fx_line},
                                                       {"edit.copy-minimal", CopyForm::minimal_graph},
                                                       {"edit.copy-report", CopyForm::bug_report}};
    for (const auto& [id, form] : copies) set({id}, whyNotCopy(document_, selected, form));
    const QString no_decision = tr("no decision is made on the selected node");
    set({"graph.previous", "graph.next"}, empty);
    set({"step.here"}, unless_empty(document_.decisionIndex(selected) < 0      ? no_decision
                                    : session && session->current() == selected ? tr("the selected node is current already")
                                                                                : QString()));
    const NodeId focused = document_.focused();
    const int index = document_.decisionIndex(focused);
    set({"decide.accept", "decide.skip"}, unless_empty(index < 0 ? no_decision : QString()));
    set({"decide.why"}, unless_empty(session ? whyNotAsk(document_, focused) : QString()));
    set({"decide.force"}, unless_empty(session ? whyNotForce(document_, focused) : QString()));
    const bool has_choice = index >= 0 && session->choice(static_cast<std::uint32_t>(index)) != Choice::policy;
    set({"decide.leave"}, unless_empty(has_choice ? QString() : tr("you have made no choice for this node")));

    // Until the panel is there, what it asks for at first.
    const VerifyPanel* panel = verifyPanel();
    set({"verify.run"}, verification_.whyNot(panel ? panel->request().scope : VerificationRequest().scope));
    set({"verify.stop"}, verification_.isRunning() ? QString() : tr("no verification is running"));

    set({"level.show", "symbols.show", "trip.show"}, empty);
    set({"symbols.reset"}, unless_empty(document_.askedRanges().empty() ? tr("the ranges are the file's") : QString()));
    set({"trip.step", "trip.end"}, roundTrip_.whyNotForward());
    set({"trip.restart", "trip.back"}, roundTrip_.whyNotBack());
    set({"trip.verify"}, equivalence_.isRunning() ? tr("it is running") : roundTrip_.whyNotResult());
    set({"trip.stop"}, equivalence_.isRunning() ? QString() : tr("no verification of the round trip is running"));
    set({"trip.export", "trip.open"}, roundTrip_.whyNotResult());

    set({"decompose.show"}, empty);
    set({"decompose.verify"}, decomposedEquivalence_.isRunning() ? tr("it is running") : decomposition_.whyNotResult());
    set({"decompose.stop"}, decomposedEquivalence_.isRunning() ? QString() : tr("no verification of the decomposition is running"));
    set({"decompose.export", "decompose.open"}, decomposition_.whyNotResult());

    const std::size_t graphs = document_.program() ? document_.program()->graphs.size() : 0;
    set({"graph.previous-graph"}, unless_empty(document_.graphIndex() == 0 ? tr("this is the file's first graph") : QString()));
    set({"graph.next-graph"},
        unless_empty(document_.graphIndex() + 1 >= graphs ? tr("this is the file's last graph") : QString()));
    set({"graph.compare"}, unless_empty(graphs < 2 ? tr("the file has no other graph") : QString()));

    const QString policy = document_.policy();
    policy_->setCurrentIndex(policy_->findData(policy));
    policy_->setEnabled(session != nullptr);
    policy_->setToolTip(session ? policy_->currentData(Qt::ToolTipRole).toString() : tr("Not now: %1").arg(empty));
    for (QAction* action : policyActions_->actions()) {
        action->setEnabled(session != nullptr);
        action->setChecked(action->text() == policy);
    }
}

// --- what actions do -------------------------------------------------------------------------------------------------

void MainWindow::chooseFile() {
    const QString folder = recent_.paths().isEmpty() ? QString() : QFileInfo(recent_.paths().constFirst()).absolutePath();
    const QString path = QFileDialog::getOpenFileName(
        this, tr("Open a graph"), folder,
        tr("Graphs, logs and sessions (*.pt2 *.pt *.txt *.py *.log *.json);;All files (*)"));
    if (!path.isEmpty()) openFile(path);
}

void MainWindow::chooseFolder() {
    const QString folder = recent_.paths().isEmpty() ? QString() : QFileInfo(recent_.paths().constFirst()).absolutePath();
    openFile(QFileDialog::getExistingDirectory(this, tr("Open a folder of logs"), folder));
}

void MainWindow::openFile(const QString& path) {
    if (path.isEmpty() || !mayDiscard()) return;
    restored_.reset();
    messages_->hide();
    opening_.start();
    document_.open(path);
}

void MainWindow::pasteGraph() {
    const QByteArray text = QGuiApplication::clipboard()->text().toUtf8();
    if (text.trimmed().isEmpty()) {
        messages_->showError(tr("There is no text on the clipboard"));
        return;
    }
    if (!mayDiscard()) return;
    restored_.reset();
    messages_->hide();
    opening_.start();
    document_.openText(text, tr("Pasted text"));
}

void MainWindow::compareGraphs(const QString& before, const QString& after) {
    dock(QStringLiteral("comparison"))->reveal();
    qobject_cast<ComparisonPanel*>(dock(QStringLiteral("comparison"))->panel())->compare(before, after);
}

QString MainWindow::folderBeside() const {
    const bool has_folder = document_.isFile() && !isTemporary(document_.path());
    return has_folder ? QFileInfo(document_.path()).absolutePath() : QDir::homePath();
}

void MainWindow::chooseExport() {
    const QString path = askForPath(this, tr("Export the rewritten graph"), folderBeside(), exportFormats(*document_.program()),
                                    QFileInfo(document_.path()).baseName() + QStringLiteral("-reinplaced"));
    if (!path.isEmpty()) exportTo(path);
}

bool MainWindow::exportTo(const QString& path) {
    if (!tellExported(exportGraph(document_, *canvas_, path), path)) return false;
    document_.markExported();
    return true;
}

bool MainWindow::tellExported(const Result<void>& written, const QString& path) {
    if (!written) {
        const QString message = text(written.error().message());
        messages_->showError(tr("Not exported: %1").arg(message));
        log(tr("Not exported: %1").arg(message));
        return false;
    }
    messages_->endError();
    statusBar()->showMessage(tr("Exported %1").arg(path), 6000);
    log(tr("Exported %1").arg(path));
    return true;
}

void MainWindow::showRoundTrip() {
    PanelDock* panel = dock(QStringLiteral("round-trip"));
    panel->reveal();
    // Three columns and what stands below them want more than the height of a line of tabs.
    tall_.ask(panel, 55, [this] { return roundTrip_.hasMutations(); });
}

void MainWindow::showDecomposition() {
    PanelDock* panel = dock(QStringLiteral("decompose"));
    panel->reveal();
    tall_.ask(panel, 40, [this] { return decomposition_.found() && decomposition_.found()->made; });
}

void MainWindow::chooseDecomposedExport() {
    const QString path = askForPath(this, tr("Export the decomposed graph"), folderBeside(), madeFormats(*document_.program()),
                                    QFileInfo(document_.path()).baseName() + QLatin1Char('-') + decomposition_.made().kind);
    if (!path.isEmpty()) exportDecomposedTo(path);
}

bool MainWindow::exportDecomposedTo(const QString& path) { return tellExported(writeMade(decomposition_.made(), path), path); }

void MainWindow::openDecomposed() {
    if (mayDiscard()) openMade(madeFile(decomposition_.made()));
}

void MainWindow::chooseFunctionalExport() {
    const QString path = askForPath(this, tr("Export the functionalized graph"), folderBeside(), madeFormats(*document_.program()),
                                    QFileInfo(document_.path()).baseName() + QStringLiteral("-functional"));
    if (!path.isEmpty()) exportFunctionalTo(path);
}

bool MainWindow::exportFunctionalTo(const QString& path) {
    return tellExported(writeFunctional(*document_.program(), document_.graphIndex(), roundTrip_.epilogue(), path), path);
}

void MainWindow::openFunctional() {
    if (mayDiscard()) openMade(functionalFile(*document_.program(), document_.graphIndex(), roundTrip_.epilogue()));
}

void MainWindow::openMade(const Result<QString>& file) {
    if (!file) {
        const QString message = text(file.error().message());
        messages_->showError(message);
        log(tr("Refused: %1").arg(message));
        return;
    }
    restored_.reset();
    messages_->hide();
    opening_.start();
    document_.open(*file);
}

bool MainWindow::save() {
    return document_.documentPath().isEmpty() ? saveAs() : saveTo(document_.documentPath());
}

bool MainWindow::saveAs() {
    const QFileInfo source(document_.path());
    QFileDialog dialog(this, tr("Save the session"), folderBeside());
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.setNameFilters({tr("Session document (*.%1)").arg(documentEnding())});
    dialog.setDefaultSuffix(documentEnding());
    dialog.selectFile(source.baseName() + QLatin1Char('.') + documentEnding());
    return dialog.exec() == QDialog::Accepted && saveTo(dialog.selectedFiles().constFirst());
}

bool MainWindow::saveTo(const QString& path) {
    const Result<void> saved = saveDocument(document_, path);
    if (!saved) {
        const QString message = text(saved.error().message());
        messages_->showError(tr("Not saved: %1").arg(message));
        log(tr("Not saved: %1").arg(message));
        return false;
    }
    messages_->endError();
    recent_.add(path);
    updateTitle();
    statusBar()->showMessage(tr("Saved %1").arg(path), 6000);
    log(tr("Saved %1").arg(path));
    return true;
}

void MainWindow::offerRestoring() {
    if (abandoned_.empty()) return;
    const AbandonedSession& session = abandoned_.front();
    restoring_->showOffer(tr("A window ended without being closed. Its session on %1, as of %2, was kept.")
                              .arg(session.title, QLocale().toString(session.saved, QLocale::ShortFormat)),
                          tr("Restore"), tr("Discard"));
}

void MainWindow::restore() {
    if (!mayDiscard()) return offerRestoring();
    messages_->hide();
    opening_.start();
    restored_ = abandoned_.front();
    abandoned_.erase(abandoned_.begin());
    document_.openAbandoned(restored_->path);
    offerRestoring();
}

bool MainWindow::mayDiscard() {
    if (!document_.isModified()) return true;
    const QString file = QFileInfo(document_.path()).fileName();
    QMessageBox question(QMessageBox::Question, tr("Reinplace Inspector"), tr("Save your session on %1?").arg(file),
                         QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, this);
    question.setObjectName(QStringLiteral("discardQuestion"));
    question.setTextFormat(Qt::PlainText);
    question.setInformativeText(tr("Your steps and choices are lost unless you save them."));
    question.setDefaultButton(QMessageBox::Save);
    switch (question.exec()) {
    case QMessageBox::Save: return save();
    case QMessageBox::Discard: return true;
    default: return false;
    }
}

void MainWindow::whyNot() {
    const NodeId node = document_.focused();
    if (!document_.decision(node)) document_.throughNode(node);
    dock(QStringLiteral("decision"))->reveal();
    document_.highlight(evidenceNodes(document_, node));
    qobject_cast<DecisionPanel*>(dock(QStringLiteral("decision"))->panel())->showFailedCheck();
}

void MainWindow::copyAs(CopyForm form) {
    const NodeId node = document_.selected();
    if (!whyNotCopy(document_, node, form).isEmpty()) return;
    QGuiApplication::setOverrideCursor(Qt::WaitCursor);
    const Result<QString> words = copyText(document_, node, form);
    QGuiApplication::restoreOverrideCursor();
    if (!words) {
        messages_->showError(tr("Not copied: %1").arg(text(words.error().message())));
        return;
    }
    messages_->endError();
    QGuiApplication::clipboard()->setText(*words);
    statusBar()->showMessage(tr("On the clipboard: %1").arg(words->section(QLatin1Char('\n'), 0, 0).left(80)), 4000);
}

VerifyPanel* MainWindow::verifyPanel() const {
    return qobject_cast<VerifyPanel*>(dock(QStringLiteral("verify"))->made());
}

void MainWindow::verify() {
    dock(QStringLiteral("verify"))->reveal();
    verification_.start(verifyPanel()->request());
}

void MainWindow::selectBeside(int step) {
    const std::vector<NodeId>& nodes = document_.nodes();
    const auto here = std::ranges::find(nodes, document_.selected());
    const auto index = here == nodes.end() ? std::ptrdiff_t{0} : here - nodes.begin() + step;
    if (index >= 0 && index < std::ssize(nodes)) document_.select(nodes[static_cast<std::size_t>(index)]);
}

void MainWindow::showGraphBeside(int step) {
    document_.showGraph(document_.graphIndex() + static_cast<std::size_t>(step));
}

void MainWindow::log(const QString& line) {
    log_ << line;
    Q_EMIT logged(line);
}

// --- events ----------------------------------------------------------------------------------------------------------

void MainWindow::closeEvent(QCloseEvent* event) {
    if (!mayDiscard()) {
        event->ignore();
        return;
    }
    settings_->setValue(QStringLiteral("geometry"), saveGeometry());
    tall_.end();
    settings_->setValue(QStringLiteral("layout"), saveState(layout_version));
    event->accept();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    const QList<QUrl> urls = event->mimeData()->urls();
    if (urls.size() == 1 && urls.constFirst().isLocalFile()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    event->acceptProposedAction();
    openFile(QDir::cleanPath(event->mimeData()->urls().constFirst().toLocalFile())); // of a folder without the slash
}

} // namespace inspector
