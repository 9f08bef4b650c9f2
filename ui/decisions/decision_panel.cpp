#include "ui/decisions/decision_panel.h"

#include <memory>

#include <QAction>
#include <QEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QMenu>
#include <QScrollBar>
#include <QTextBlock>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/copy_as/copy_as.h"
#include "ui/decisions/decision_page.h"
#include "ui/document/node_links.h"
#include "ui/palette/page_browser.h"

namespace inspector {

DecisionPanel::DecisionPanel(Document* document, const QList<QAction*>& choices, QWidget* parent)
    : QWidget(parent), document_(document), page_(new PageBrowser(this)) {
    page_->setObjectName(QStringLiteral("decisionPage"));
    page_->setAccessibleName(tr("Decision"));
    connect(page_, &QTextBrowser::anchorClicked, this, &DecisionPanel::follow);
    page_->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(page_, &QWidget::customContextMenuRequested, this, [this](const QPoint& place) {
        const std::unique_ptr<QMenu> menu(page_->createStandardContextMenu(place));
        if (!document_->isEmpty() && document_->node(document_->focused())) {
            menu->addSeparator();
            addCopyEntries(*menu, *document_, document_->focused());
        }
        menu->exec(page_->viewport()->mapToGlobal(place));
    });

    auto* buttons = new QHBoxLayout;
    buttons->setContentsMargins(8, 8, 8, 8);
    buttons->setSpacing(8);
    for (QAction* choice : choices) {
        auto* button = new QToolButton(this);
        button->setDefaultAction(choice);
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        buttons->addWidget(button);
    }
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(page_, 1);
    layout->addLayout(buttons);

    for (const auto changed : {&Document::opened, &Document::graphShown, &Document::stepped})
        connect(document, changed, this, &DecisionPanel::forgetProposals);
    connect(document, &Document::policiesCompared, this, &DecisionPanel::refresh);
    connect(document, &Document::selectionChanged, this, [this] {
        if (document_->focused() != shown_) refresh();
    });
    refresh();
}

QTextBrowser* DecisionPanel::page() const { return page_; }

void DecisionPanel::refresh() {
    const NodeId node = document_->focused();
    const bool is_same = std::exchange(shown_, node) == node;
    if (!is_same) proposals_.reset();
    const int scrolled = is_same ? page_->verticalScrollBar()->value() : 0;
    page_->setHtml(decisionPage(*document_, node, palette(), proposals_ ? &*proposals_ : nullptr));
    page_->verticalScrollBar()->setValue(scrolled);
    if (!document_->isEmpty()) document_->highlight(evidenceNodes(*document_, node));
}

void DecisionPanel::forgetProposals() {
    proposals_.reset();
    refresh();
}

void DecisionPanel::propose(NodeId node) {
    QGuiApplication::setOverrideCursor(Qt::WaitCursor);
    proposals_ = inspector::propose(*document_->source(), *document_->session(), static_cast<std::uint32_t>(document_->decisionIndex(node)));
    QGuiApplication::restoreOverrideCursor();
    refresh();
}

void DecisionPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        page_->document()->clear(); // images of the former palette
        refresh();
    }
}

void DecisionPanel::follow(const QUrl& link) {
    if (const auto node = nodeOfLink(link)) {
        document_->followEvidence(*node);
        return;
    }
    const NodeId node{link.path().toUInt()};
    if (link.scheme() == QLatin1String("decide")) document_->select(node);
    else if (link.scheme() == QLatin1String("through")) document_->throughNode(node);
    else if (link.scheme() == QLatin1String("leave")) document_->choose(node, Choice::policy);
    else if (link.scheme() == QLatin1String("propose")) propose(node);
}

void DecisionPanel::showFailedCheck() {
    page_->moveCursor(QTextCursor::Start);
    if (!page_->find(tr("failed"))) return;
    QTextCursor cursor = page_->textCursor();
    cursor.clearSelection();
    page_->setTextCursor(cursor);
    page_->ensureCursorVisible();
}

} // namespace inspector
