#include "ui/graph_view/layout_columns.h"

#include <algorithm>
#include <limits>

namespace inspector {

void place_columns(GraphLayout& layout, const LayoutInput& input, const RowAssignment& rows,
                   const LayoutOptions& options) {
    std::vector<std::uint32_t> column_of(rows.row_count);
    for (std::uint32_t column = 0; column < rows.column_starts.size() && rows.row_count > 0; ++column) {
        const bool is_last = column + 1 == rows.column_starts.size();
        const std::uint32_t first = rows.column_starts[column];
        const std::uint32_t last = is_last ? rows.row_count : rows.column_starts[column + 1];
        constexpr float most = std::numeric_limits<float>::max();
        layout.columns.push_back({first, last, most, -most});
        std::fill(column_of.begin() + first, column_of.begin() + last, column);
    }
    const auto widen = [&](std::uint32_t row, float left, float right) {
        LayoutColumn& column = layout.columns[column_of[row]];
        column.left = std::min(column.left, left);
        column.right = std::max(column.right, right);
    };
    for (std::size_t box = 0; box < input.boxes.size(); ++box) {
        const float half = input.boxes[box].width / 2;
        widen(layout.row_of[box], layout.centres[box].x - half, layout.centres[box].x + half);
    }
    for (const LayoutReference& reference : layout.references)
        widen(reference.row, reference.centre.x - reference.width / 2, reference.centre.x + reference.width / 2);
    for (std::size_t edge = 0; edge < input.edges.size(); ++edge)
        for (const LayoutPoint& point : layout.route(edge))
            widen(layout.row_of[input.edges[edge].to], point.x, point.x);

    std::vector<LayoutPoint> moves;
    float left = 0;
    for (LayoutColumn& column : layout.columns) {
        moves.push_back({left - column.left, -layout.rows[column.first_row].top});
        column.right += moves.back().x;
        column.left = left;
        left = column.right + options.column_gap;
    }
    const auto move = [&](LayoutPoint& point, std::uint32_t row) {
        const LayoutPoint& by = moves[column_of[row]];
        point.x += by.x;
        point.y += by.y;
    };
    for (std::size_t box = 0; box < input.boxes.size(); ++box) move(layout.centres[box], layout.row_of[box]);
    for (LayoutReference& reference : layout.references) move(reference.centre, reference.row);
    for (std::size_t edge = 0; edge < input.edges.size(); ++edge)
        for (std::uint32_t i = layout.route_starts[edge]; i < layout.route_starts[edge + 1]; ++i)
            move(layout.route_points[i], layout.row_of[input.edges[edge].to]);
    for (std::uint32_t row = 0; row < rows.row_count; ++row) {
        layout.rows[row].top += moves[column_of[row]].y;
        layout.rows[row].bottom += moves[column_of[row]].y;
        layout.height = std::max(layout.height, layout.rows[row].bottom);
    }
    layout.left = 0;
    layout.right = layout.columns.empty() ? 0 : layout.columns.back().right;
}

} // namespace inspector
