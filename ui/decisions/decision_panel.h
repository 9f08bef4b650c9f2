// The decision under discussion, explained; with the person's choices below it.
#pragma once

#include <optional>

#include <QWidget>

#include "core/passes/reinplace/proposals/proposals.h"
#include "ui/document/document.h"

class QAction;
class QTextBrowser;

namespace inspector {

class PageBrowser;

class DecisionPanel : public QWidget {
    Q_OBJECT
public:
    /// `choices`: the actions that accept, skip, force and ask why; shown as buttons.
    DecisionPanel(Document* document, const QList<QAction*>& choices, QWidget* parent = nullptr);
    [[nodiscard]] QTextBrowser* page() const;
    /// Scrolls to the check that failed.
    void showFailedCheck();

protected:
    void changeEvent(QEvent* event) override;

private:
    void refresh();
    void forgetProposals();
    void propose(NodeId node);
    void follow(const QUrl& link);

    Document* document_;
    PageBrowser* page_;
    NodeId shown_ = no_node;
    std::optional<Proposals> proposals_; ///< for shown_, once asked for
};

} // namespace inspector
