// What a layout is given and what it gives: boxes in rows from top to bottom, in program order. Plain C++.
//
//     row 0   [x]        [weight]      inputs stand in the row above their first reader
//     row 1      [add]  |              an edge passes the rows between in a lane
//     row 2      [mul]  |  (↑ cos)     an edge over more rows than `longest_edge` ends in references
//
// A graph much higher than wide is folded into columns, which are read like those of a newspaper.
//
// Units are those of the caller (pixels at zoom 1), y grows downwards.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace inspector {

struct LayoutBox {
    float width = 0;
    float height = 0;
    float reference_width = 0;     ///< of the small sign that names this box where an edge is cut
    bool is_beside_reader = false; ///< an input: has no place of its own in the program's order
};

/// From a box to one that comes later. Others (a damaged graph's) are ignored and get no route.
struct LayoutEdge { std::uint32_t from = 0; std::uint32_t to = 0; };

/// Boxes in program order; a box's edges in order of its operands: the first is its main one and is drawn straight.
struct LayoutInput {
    std::vector<LayoutBox> boxes;
    std::vector<LayoutEdge> edges;
};

struct LayoutOptions {
    float row_gap = 36;
    float box_gap = 24;
    float lane_gap = 10;
    float reference_height = 18;
    float widest_row = 1800;          ///< further boxes begin another row, unless one box alone is wider
    bool folds = true;                ///< into columns, so that the whole comes near `aspect`
    float aspect = 1.6F;              ///< width to height
    float column_gap = 120;
    std::uint32_t longest_edge = 10;  ///< in rows; longer edges are cut, as are those from column to column
    std::uint32_t most_references = 4;///< above one reader; more are drawn as one that counts them
    int sweeps = 4;
    std::function<void(int percent)> progress = {}; ///< may be empty
    const std::atomic<bool>* cancelled = nullptr;  ///< may be null; a set flag ends the work early, with any result
};

struct LayoutPoint { float x = 0; float y = 0; };

struct LayoutRow {
    float top = 0;
    float bottom = 0;
    std::uint32_t first = 0; ///< boxes_in_rows[first, last)
    std::uint32_t last = 0;
};

/// A sign where edges are cut. Above a reader it names the value that comes from far above, or counts them where they
/// are many; below a value it stands for all its readers far below.
struct LayoutReference {
    bool is_above_reader = false;
    std::uint32_t box = 0;          ///< the box it is attached to
    std::uint32_t other = 0;        ///< the box at the other end: the first of `count`
    std::uint32_t count = 1;
    std::uint32_t row = 0;
    float width = 0;
    LayoutPoint centre;
};

struct LayoutColumn {
    std::uint32_t first_row = 0; ///< rows[first_row, last_row)
    std::uint32_t last_row = 0;
    float left = 0;
    float right = 0;
};

struct GraphLayout {
    std::vector<LayoutPoint> centres;           ///< by box
    std::vector<std::uint32_t> row_of;          ///< by box; never falls in program order, but for boxes beside readers
    std::vector<LayoutRow> rows;                ///< in a column from top to bottom, not overlapping
    std::vector<LayoutColumn> columns;          ///< from left to right, not overlapping; one where nothing is folded
    std::vector<std::uint32_t> boxes_in_rows;   ///< row by row, each from left to right
    std::vector<LayoutReference> references;    ///< row by row
    /// Bézier curves: control points of edge e are route_points[route_starts[e], route_starts[e + 1]), 3n + 1 of them;
    /// none where the edge is cut.
    std::vector<std::uint32_t> route_starts;
    std::vector<LayoutPoint> route_points;
    float left = 0;
    float right = 0;
    float height = 0;

    [[nodiscard]] std::span<const LayoutPoint> route(std::size_t edge) const {
        return {route_points.data() + route_starts[edge], route_points.data() + route_starts[edge + 1]};
    }
};

} // namespace inspector
