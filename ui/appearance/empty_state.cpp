#include "ui/appearance/empty_state.h"

#include <QAbstractItemView>
#include <QAbstractProxyModel>
#include <QEvent>

namespace inspector {

EmptyState::EmptyState(QAbstractItemView* view, QString text, QString filtered)
    : QLabel(view->viewport()), view_(view), text_(std::move(text)), filtered_(std::move(filtered)) {
    setAlignment(Qt::AlignCenter);
    setWordWrap(true);
    setMargin(16);
    setForegroundRole(QPalette::PlaceholderText);
    setAttribute(Qt::WA_TransparentForMouseEvents);
    view->viewport()->installEventFilter(this);
    const QAbstractItemModel* model = view->model();
    connect(model, &QAbstractItemModel::modelReset, this, &EmptyState::refresh);
    connect(model, &QAbstractItemModel::rowsInserted, this, &EmptyState::refresh);
    connect(model, &QAbstractItemModel::rowsRemoved, this, &EmptyState::refresh);
    refresh();
}

void EmptyState::setFiltered(const QString& filtered) {
    filtered_ = filtered;
    refresh();
}

bool EmptyState::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize) resize(view_->viewport()->size());
    return QLabel::eventFilter(watched, event);
}

void EmptyState::refresh() {
    const QAbstractItemModel* model = view_->model();
    const auto* proxy = qobject_cast<const QAbstractProxyModel*>(model);
    const bool is_filtered = proxy && proxy->sourceModel() && proxy->sourceModel()->rowCount() > 0;
    setText(is_filtered && !filtered_.isEmpty() ? filtered_ : text_);
    setVisible(model->rowCount() == 0);
    resize(view_->viewport()->size());
}

} // namespace inspector
