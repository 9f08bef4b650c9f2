// Which row every box stands in. Shared by the layered layout and by the one dot makes.
#pragma once

#include "ui/graph_view/graph_layout.h"

namespace inspector {

struct RowAssignment {
    std::vector<std::uint32_t> row_of;        ///< by box
    std::uint32_t row_count = 0;
    std::vector<std::uint32_t> column_starts; ///< first row of each column
    std::vector<bool> is_cut;                 ///< by edge
    std::vector<LayoutReference> references;  ///< row by row; places are still to be found
};

/// The topmost rows for which: a box is below all its operands; boxes that follow each other in the program are in the
/// same row or the next, so that reading downwards is reading the program; no row is wider than
/// `options.widest_row`. Boxes beside readers stand right above their first reader. Columns end where the fewest edges
/// pass. Linear.
[[nodiscard]] RowAssignment assign_rows(const LayoutInput& input, const LayoutOptions& options);

[[nodiscard]] inline bool is_forward(const LayoutEdge& edge, const LayoutInput& input) {
    return edge.from < edge.to && edge.to < input.boxes.size();
}
/// Whether the edge leads downwards from row to row.
[[nodiscard]] inline bool is_drawn(const LayoutEdge& edge, const LayoutInput& input, const RowAssignment& rows) {
    return is_forward(edge, input) && rows.row_of[edge.from] < rows.row_of[edge.to];
}

} // namespace inspector
