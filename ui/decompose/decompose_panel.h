// The graph taken apart into Core ATen: the steps, the operators to keep, the result as code, what still stands against
// it.
#pragma once

#include <QWidget>

#include "ui/decompose/decomposition_run.h"

class QAction;
class QLabel;
class QListWidget;
class QStackedWidget;
class QTreeView;

namespace inspector {

class DecompositionStepModel;
class MadeCode;

class DecomposePanel : public QWidget {
    Q_OBJECT
public:
    /// `actions` are shown as buttons. All given must outlive the panel.
    DecomposePanel(Document* document, DecompositionRun* decomposition, EquivalenceRun* verification,
                   const QList<QAction*>& actions, QWidget* parent = nullptr);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void makeSteps();
    void showResult();
    void showSentence();
    void showCandidates();
    void showVerification();
    void showSelection();
    void choose(const QModelIndex& row);

    Document* document_;
    DecompositionRun* decomposition_;
    EquivalenceRun* verification_;
    DecompositionStepModel* model_;
    QStackedWidget* pages_;
    QLabel* empty_;
    QLabel* sentence_;
    QLabel* found_;
    QTreeView* steps_;
    QListWidget* kept_;
    MadeCode* code_;
    std::shared_ptr<const Program> shown_; ///< whose code is shown
    bool isChoosing_ = false;              ///< a view is being brought to what is known, not the other way round
};

} // namespace inspector
