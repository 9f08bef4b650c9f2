// Pictures the drawing tests share.
#pragma once

#include <string>

#include "core/formats/dot/picture.h"

namespace inspector {

/// x → view (a view of x) → add (reinplaced) → output, and mul (missed), with names that try to end labels and tags.
inline Picture hostile_picture() {
    Decision reinplaced;
    reinplaced.verdict = Verdict::reinplaced;
    Decision missed;
    missed.verdict = Verdict::kept;
    missed.bytes = 64;
    Picture picture;
    picture.title = "graph \"<&>\\";
    picture.nodes = {
        {"x", "placeholder", "f32[4, 4]", &verdict_look(nullptr), 1},
        {"view\"];n0->n1[label=\"", "aten.view.default", "f32[16]", &verdict_look(nullptr), 1},
        {"<b>add</b>\\N", "aten.add_.Tensor", "f32[16]", &verdict_look(&reinplaced), 1},
        {"mul&lt;", "aten.mul.Tensor", "", &verdict_look(&missed, true), 2},
        {"output", "output", "", &verdict_look(nullptr), 0},
    };
    picture.edges = {{0, 1, true}, {1, 2, false}, {2, 3, false}, {2, 4, false}, {3, 4, false}};
    return picture;
}

/// `layers` rows of `width` nodes, each reading every node of the row before: wide enough that Graphviz takes long.
inline Picture woven_picture(std::uint32_t layers, std::uint32_t width) {
    Picture picture;
    picture.title = "woven";
    for (std::uint32_t i = 0; i < layers * width; ++i)
        picture.nodes.push_back({"node_" + std::to_string(i), "aten.add.Tensor", "f32[4]", &verdict_look(nullptr), i});
    for (std::uint32_t to = width; to < layers * width; ++to)
        for (std::uint32_t from = (to / width - 1) * width; from < to / width * width; ++from)
            picture.edges.push_back({from, to, false});
    return picture;
}

} // namespace inspector
