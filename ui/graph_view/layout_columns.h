// The last step of every layout: its columns, made below each other, are put side by side.
#pragma once

#include "ui/graph_view/row_assignment.h"

namespace inspector {

/// Rows, places and routes of `layout` are complete. Moves them so that all columns begin at height 0, the first at 0
/// from the left, and sets the layout's columns and extent.
void place_columns(GraphLayout& layout, const LayoutInput& input, const RowAssignment& rows,
                   const LayoutOptions& options);

} // namespace inspector
