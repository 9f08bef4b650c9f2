// Which dimensions vary between exports of one program at different sizes, and by what relation.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/graph/program.h"

namespace inspector {

struct VaryingSize {
    std::string node;
    std::size_t dimension = 0;
    std::vector<std::int64_t> sizes; ///< in each graph
    std::string expression;          ///< over the free dimensions: "2*d0", "d0//4 + 1"; "d0" is the dimension itself
    bool is_free = false;            ///< it is a free dimension, named by `expression`
};

struct SizeVariation {
    std::vector<VaryingSize> inputs;   ///< dimensions of placeholders, in order
    std::vector<VaryingSize> values;   ///< of other nodes, in order
    std::vector<std::string> missing;  ///< nodes that not every graph has, or not with the same rank
    std::vector<std::string> changed;  ///< nodes that call something else in another graph
};

/// Nodes are matched by name. Symbolic sizes count by their samples. A dimension that no relation to the free ones
/// before it fits becomes free itself: d0, d1… Relations tried are multiples and sums with whole numbers, floor
/// division, and products of two; with few graphs others fit as well. Precondition: two graphs or more.
[[nodiscard]] SizeVariation compare_sizes(const std::vector<const ProgramGraph*>& graphs);

} // namespace inspector
