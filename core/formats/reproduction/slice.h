// A part of a graph as a graph of its own.
#pragma once

#include <vector>

#include "core/analysis/value_facts.h"
#include "core/graph/program.h"

namespace inspector {

/// Which nodes are kept, by index, and which of them are returned.
struct Slice {
    std::vector<bool> kept;
    std::vector<NodeId> returned; ///< in order
};

/// The kept nodes with their names; a value they need that is not kept is an input, which lies in memory of its own as
/// `facts` say. Placeholders that nobody needs are left out.
[[nodiscard]] Graph graph_of(const Graph& original, const GraphFacts& facts, const Slice& slice);

} // namespace inspector
