// Source, functionalized and reinplaced side by side; below, the mutation under discussion and what became of each.
#pragma once

#include <QWidget>

#include "ui/functionalize/round_trip_session.h"
#include "ui/verify/equivalence_run.h"

class QAction;
class QComboBox;
class QLabel;
class QStackedWidget;
class QTableView;
class QTreeView;

namespace inspector {

class MutationModel;
class PageBrowser;
class RoundTripModel;

class RoundTripPanel : public QWidget {
    Q_OBJECT
public:
    /// `actions` are shown as buttons, a nullptr is a gap. All given must outlive the panel.
    RoundTripPanel(Document* document, RoundTripSession* session, EquivalenceRun* run, const QList<QAction*>& actions,
                   QWidget* parent = nullptr);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void makeColumns();
    void makeMutations();
    void showState();
    void showPage();
    void showVerification();
    void showSelection();
    void chooseCell(const QModelIndex& cell);
    void chooseMutation(const QModelIndex& row);
    void follow(const QUrl& link);

    Document* document_;
    RoundTripSession* session_;
    EquivalenceRun* run_;
    RoundTripModel* model_;
    MutationModel* mutations_;
    QStackedWidget* pages_;
    QLabel* empty_;
    QTableView* columns_;
    QTreeView* list_;
    PageBrowser* page_;
    QLabel* summary_;
    QLabel* verification_;
    QComboBox* epilogue_;
    NodeId discussed_ = no_node; ///< the mutation on the page
    bool isChoosing_ = false;    ///< a view is being brought to the selection, not the other way round
};

} // namespace inspector
