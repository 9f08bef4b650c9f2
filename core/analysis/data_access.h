// Which nodes look at the elements of a value, and which only at its shape or make a view of it.
#pragma once

#include "core/analysis/value_facts.h"
#include "core/graph/graph.h"
#include "core/operators/operator_schema.h"

namespace inspector {

/// Whether `reader` needs the elements of `value`, which it refers to. Views, getitem, sym_size, zeros_like, and
/// _assert_tensor_metadata do not; operators nobody knows, methods and the output do.
[[nodiscard]] bool reads_elements(const Graph& graph, const GraphFacts& facts, const Operator* op, NodeId reader, NodeId value);

/// Whether the schema says that `op` writes the argument through which `node` refers to `value`.
[[nodiscard]] bool writes_elements(const Graph& graph, const Operator* op, NodeId node, NodeId value);

} // namespace inspector
