// The window: menus, tool bar, canvas, panels around it. It connects; what is shown is each panel's own affair.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include <QElapsedTimer>
#include <QMainWindow>
#include <QTimer>

#include "ui/appearance/theme.h"
#include "ui/copy_as/copy_as.h"
#include "ui/decompose/decomposition_run.h"
#include "ui/document/document.h"
#include "ui/functionalize/round_trip_session.h"
#include "ui/main_window/actions.h"
#include "ui/main_window/recent_files.h"
#include "ui/main_window/tall_panel.h"
#include "ui/session_files/abandoned_sessions.h"
#include "ui/session_files/autosave.h"
#include "ui/verify/equivalence_run.h"
#include "ui/verify/verification_run.h"

class QActionGroup;
class QComboBox;
class QMenu;
class QSettings;
class QStackedWidget;

namespace inspector {

class DecisionPanel;
class GraphView;
class MessageBar;
class NodeSearch;
class PanelDock;
class VerifyPanel;

class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    /// `settings` (layout, theme, recent files) must outlive the window.
    /// `autosaves`: the folder where sessions are kept until they are saved; empty: they are not.
    explicit MainWindow(QSettings* settings, const QString& autosaves = {}, QWidget* parent = nullptr);
    ~MainWindow() override;

    /// Asks first where rewrites would be lost.
    void openFile(const QString& path);
    /// Saves the session as a document. What went wrong is shown, and false returned.
    bool saveTo(const QString& path);
    /// The format is by the path's ending. What went wrong is shown, and false returned.
    bool exportTo(const QString& path);
    /// The same of the functionalized graph.
    bool exportFunctionalTo(const QString& path);
    /// And of the decomposed one.
    bool exportDecomposedTo(const QString& path);

    [[nodiscard]] Document& document() { return document_; }
    [[nodiscard]] const Actions& actions() const { return *actions_; }
    [[nodiscard]] GraphView* canvas() const { return canvas_; }
    [[nodiscard]] MessageBar* messageBar() const { return messages_; }
    /// Where sessions of windows that ended without being closed are offered.
    [[nodiscard]] MessageBar* restoringBar() const { return restoring_; }
    [[nodiscard]] const Autosave& autosave() const { return autosave_; }
    [[nodiscard]] VerificationRun& verification() { return verification_; }
    [[nodiscard]] RoundTripSession& roundTrip() { return roundTrip_; }
    [[nodiscard]] EquivalenceRun& roundTripVerification() { return equivalence_; }
    [[nodiscard]] DecompositionRun& decomposition() { return decomposition_; }
    [[nodiscard]] EquivalenceRun& decompositionVerification() { return decomposedEquivalence_; }
    /// nodes, storages, decision, code, program, inspector, verify, memory, history, log, compiles, comparison,
    /// round-trip, level, symbols, decompose.
    [[nodiscard]] PanelDock* dock(const QString& id) const;

Q_SIGNALS:
    void logged(const QString& line);

protected:
    void closeEvent(QCloseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void childEvent(QChildEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void makeCentre();
    void makeDocks();
    void makeMenus();
    void makeToolBar();
    void connectActions();
    void connectDocument();
    void groupPanels(); ///< in tabs
    void sharePanels(); ///< the room there is
    /// Docked panels take their share of what a window gains.
    void growPanels(const QSize& before, const QSize& now);
    void fillRecentMenu();
    void fillGraphMenu();
    void setTheme(Theme theme);

    void chooseFile();
    void chooseFolder();
    void pasteGraph();
    /// Graphs by their ids.
    void compareGraphs(const QString& before, const QString& after);
    bool save();
    bool saveAs();
    void offerRestoring();
    void restore();
    void chooseExport();
    void showRoundTrip();
    void chooseFunctionalExport();
    void openFunctional();
    void showDecomposition();
    void chooseDecomposedExport();
    void openDecomposed();
    /// Opens a file that the program has made.
    void openMade(const Result<QString>& file);
    /// Where a file dialog begins.
    [[nodiscard]] QString folderBeside() const;
    bool tellExported(const Result<void>& written, const QString& path);
    [[nodiscard]] bool mayDiscard();
    void whyNot();
    void copyAs(CopyForm form);
    void verify();
    [[nodiscard]] VerifyPanel* verifyPanel() const;
    void selectBeside(int step);
    void showGraphBeside(int step);
    void showProgress(bool isOpening, int percent);
    void showOpened();
    void updateTitle();
    void updateAvailability();
    void log(const QString& line);

    QSettings* settings_;
    Document document_;
    VerificationRun verification_{&document_};
    RoundTripSession roundTrip_{&document_};
    EquivalenceRun equivalence_{&document_}; ///< of the round trip
    DecompositionRun decomposition_{&document_};
    EquivalenceRun decomposedEquivalence_{&document_};
    Autosave autosave_;
    RecentFiles recent_;
    Actions* actions_;
    QStringList log_;
    QElapsedTimer opening_;
    QTimer progressDelay_;
    int progress_ = 0;

    QStackedWidget* centre_ = nullptr;
    GraphView* canvas_ = nullptr;
    MessageBar* messages_ = nullptr;
    MessageBar* restoring_ = nullptr;
    std::vector<AbandonedSession> abandoned_;  ///< not answered for yet
    std::optional<AbandonedSession> restored_; ///< being opened
    NodeSearch* search_ = nullptr;
    QComboBox* policy_ = nullptr;
    QActionGroup* policyActions_ = nullptr;
    QMenu* recentMenu_ = nullptr;
    QMenu* graphMenu_ = nullptr;
    QActionGroup* graphActions_ = nullptr;
    QList<PanelDock*> docks_;
    QByteArray firstLayout_;
    TallPanel tall_{this};
    QSize settledSize_; ///< of the window, when its panels were last laid out in it
    std::map<const PanelDock*, QSize> panelSizes_; ///< in a window of that size
};

} // namespace inspector
