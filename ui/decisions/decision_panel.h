// The decision under discussion, explained; with the person's choices below it.
#pragma once

#include <QTextBrowser>
#include <QWidget>

#include "ui/document/document.h"

class QAction;
class QHBoxLayout;

namespace inspector {

/// Shows rich text whose images are our icons and verdict marks, in the palette's colours.
class DecisionBrowser : public QTextBrowser {
    Q_OBJECT
public:
    using QTextBrowser::QTextBrowser;

protected:
    QVariant loadResource(int type, const QUrl& name) override;
};

class DecisionPanel : public QWidget {
    Q_OBJECT
public:
    /// `choices`: the actions that accept, skip, force and ask why; shown as buttons.
    DecisionPanel(Document* document, const QList<QAction*>& choices, QWidget* parent = nullptr);
    [[nodiscard]] QTextBrowser* page() const { return page_; }
    /// Scrolls to the check that failed.
    void showFailedCheck();

protected:
    void changeEvent(QEvent* event) override;

private:
    void refresh();
    void follow(const QUrl& link);

    Document* document_;
    DecisionBrowser* page_;
    NodeId shown_ = no_node;
};

} // namespace inspector
