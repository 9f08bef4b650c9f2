// Bringing a chosen row into sight without moving what is in sight already.
#pragma once

#include <QModelIndex>

class QAbstractProxyModel;
class QTreeView;

namespace inspector {

/// The filter's row for a row of its source; invalid where that, or one above it, is filtered out. Qt gives a row below one
/// that is filtered out an index all the same, which hangs in the air once the filter changes.
[[nodiscard]] QModelIndex filteredRow(const QAbstractProxyModel& filter, const QModelIndex& source);
/// Scrolls up or down, never sideways, and only where the row is not wholly in sight; then to the middle.
void bringRowIntoSight(QTreeView* view, const QModelIndex& row);
/// Makes it the current and only selected row, in sight; none where it is invalid.
void selectRow(QTreeView* view, const QModelIndex& row);

} // namespace inspector
