#include "ui/main_window/node_search.h"

#include <QCompleter>
#include <QHeaderView>
#include <QKeyEvent>
#include <QTreeView>

#include "ui/appearance/stroke_icon.h"
#include "ui/node_list/node_filter.h"
#include "ui/node_list/node_list_model.h"

namespace inspector {

NodeSearch::NodeSearch(Document* document, QWidget* parent) : QLineEdit(parent), document_(document) {
    setObjectName(QStringLiteral("nodeSearch"));
    setPlaceholderText(tr("Find a node  /"));
    setToolTip(tr("Part of a name or operation; Return selects the first match, Escape leaves (/)"));
    setClearButtonEnabled(true);
    addAction(strokeIcon(QStringLiteral("search")), QLineEdit::LeadingPosition);
    setMinimumWidth(fontMetrics().averageCharWidth() * 20);
    setMaximumWidth(fontMetrics().averageCharWidth() * 60);
    connect(this, &QLineEdit::textEdited, this, &NodeSearch::search);
}

void NodeSearch::begin() {
    setFocus(Qt::ShortcutFocusReason);
    selectAll();
}

void NodeSearch::search(const QString& text) {
    if (!model_) {
        model_ = new NodeListModel(document_, this);
        matches_ = new NodeFilter(this);
        matches_->setSourceModel(model_);
        completer_ = new QCompleter(matches_, this);
        completer_->setCompletionMode(QCompleter::UnfilteredPopupCompletion);
        completer_->setCompletionColumn(NodeListModel::node_column);
        completer_->setWidget(this);
        auto* popup = new QTreeView;
        completer_->setPopup(popup);
        popup->setRootIsDecorated(false);
        popup->setUniformRowHeights(true);
        popup->header()->hide();
        for (int column = 0; column < NodeListModel::column_count; ++column)
            popup->setColumnHidden(column, column != NodeListModel::node_column && column != NodeListModel::operation_column);
        popup->setColumnWidth(NodeListModel::node_column, fontMetrics().averageCharWidth() * 30);
        connect(completer_, qOverload<const QModelIndex&>(&QCompleter::activated), this, &NodeSearch::choose);
    }
    matches_->setText(text);
    if (text.trimmed().isEmpty() || matches_->rowCount() == 0) {
        completer_->popup()->hide();
        return;
    }
    QRect below = rect();
    below.setWidth(std::max(width(), fontMetrics().averageCharWidth() * 70));
    completer_->complete(below);
    completer_->popup()->setCurrentIndex(completer_->completionModel()->index(0, NodeListModel::node_column));
}

void NodeSearch::choose(const QModelIndex& match) {
    if (!match.isValid()) return;
    document_->select(NodeId(match.data(NodeListModel::node_role).toUInt()));
    clear();
    clearFocus();
}

void NodeSearch::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape) {
        clear();
        clearFocus();
        return;
    }
    QLineEdit::keyPressEvent(event);
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        if (matches_ && matches_->rowCount() > 0 && !text().trimmed().isEmpty()) choose(matches_->index(0, 0));
    }
}

} // namespace inspector
