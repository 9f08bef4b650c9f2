// Nodes whose results nobody needs.
#pragma once

#include <vector>

#include "core/graph/graph.h"

namespace inspector {

/// Whether the node may go when nobody uses it: it writes nothing, draws no random number, asserts nothing and is no
/// control flow; and somebody knows that.
[[nodiscard]] bool is_removable(const Node& node);

/// Erases removable nodes without users, and those that become so. Returns them, last first.
std::vector<NodeId> eliminate_dead_code(Graph& graph);

} // namespace inspector
