#include "ui/appearance/item_in_sight.h"

#include <QAbstractProxyModel>
#include <QScrollBar>
#include <QTreeView>

namespace inspector {

QModelIndex filteredRow(const QAbstractProxyModel& filter, const QModelIndex& source) {
    if (!source.isValid()) return {};
    if (source.parent().isValid() && !filteredRow(filter, source.parent()).isValid()) return {};
    return filter.mapFromSource(source);
}

void bringRowIntoSight(QTreeView* view, const QModelIndex& row) {
    for (QModelIndex above = row.parent(); above.isValid(); above = above.parent()) view->expand(above);
    const QRect rect = view->visualRect(row);
    if (rect.top() >= 0 && rect.bottom() < view->viewport()->height()) return;
    const int sideways = view->horizontalScrollBar()->value();
    view->scrollTo(row, QAbstractItemView::PositionAtCenter);
    view->horizontalScrollBar()->setValue(sideways);
}

void selectRow(QTreeView* view, const QModelIndex& row) {
    if (!row.isValid()) return view->selectionModel()->clear();
    view->selectionModel()->setCurrentIndex(row, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    bringRowIntoSight(view, row);
}

} // namespace inspector
