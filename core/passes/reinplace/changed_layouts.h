// Tensors that an operator gives another layout in place (unsqueeze_, t_, set_…). What the facts say of a value is the
// layout it was computed with.
#pragma once

#include <vector>

#include "core/graph/graph.h"
#include "core/operators/operator_schema.h"
#include "core/passes/reinplace/target.h"

namespace inspector {

/// By the schema's tag inplace_view; not detach_, which leaves the layout alone.
[[nodiscard]] bool changes_layout(const Operator& op);

/// By node index: the node that changed the layout, for values that are used after it under a name they had before, and
/// for what is computed from such a use; no_node elsewhere. The result of that node itself is as the facts say.
[[nodiscard]] std::vector<NodeId> changed_layouts(const Graph& graph, const std::vector<const Target*>& targets);

} // namespace inspector
