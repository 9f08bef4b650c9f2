// Places for the nodes of a graph too large for Graphviz: layers from top to bottom, near linear in nodes and edges.
//
//     layer 0   x  w
//     layer 1   mm │          an input, or its transpose, stands in the layer above its first reader
//     layer 2   add┘          an edge past a layer keeps a lane there, so that it meets no box
//
// Edges over more than ten layers (masks, weights that every block reads) are drawn as stubs at both ends: they neither
// order nodes nor take lanes.
#pragma once

#include <cstdint>
#include <vector>

namespace inspector {

struct LayerEdge { std::uint32_t from = 0; std::uint32_t to = 0; }; ///< from < to

struct LayeredLayout {
    struct Place { std::uint32_t layer = 0; double centre = 0; };    ///< centre: distance from the left edge

    std::vector<Place> places;                ///< by node
    std::vector<std::vector<double>> lanes;   ///< by edge: where it passes each layer between its ends; empty for stubs
    std::uint32_t layers = 0;
    double width = 0;

    static constexpr std::uint32_t longest_drawn_edge = 10;
    [[nodiscard]] bool is_stub(const LayerEdge& edge) const {
        return places[edge.to].layer - places[edge.from].layer > longest_drawn_edge;
    }
};

/// Longest-path layers, then four barycenter sweeps. `widths` of the boxes and `gap` between them are in the result's unit.
/// Deterministic: ties keep program order.
[[nodiscard]] LayeredLayout lay_out_layers(const std::vector<double>& widths, const std::vector<LayerEdge>& edges, double gap);

} // namespace inspector
