// Bringing a chosen row into sight without moving what is in sight already.
#pragma once

class QModelIndex;
class QTreeView;

namespace inspector {

/// Scrolls up or down, never sideways, and only where the row is not wholly in sight; then to the middle.
void bringRowIntoSight(QTreeView* view, const QModelIndex& row);

} // namespace inspector
