// The nodes of a graph as read and as rewritten, in one order: rows for lists and for code side by side.
#pragma once

#include <vector>

#include "core/graph/graph.h"

namespace inspector {

/// Every node of `original`, and those only `rewritten` has, where they stand there. The pass moves no node, so each
/// graph's own nodes come in its own order. Linear.
[[nodiscard]] std::vector<NodeId> programOrder(const Graph& original, const Graph& rewritten);

} // namespace inspector
