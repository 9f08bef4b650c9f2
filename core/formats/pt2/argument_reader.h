// The Argument union of torch/_export/serde/schema.py: every kind of value that a node takes.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "core/formats/pt2/json_tree.h"
#include "core/graph/argument.h"

namespace inspector::pt2 {

/// What an argument refers to, supplied by the graph it stands in.
struct ArgumentContext {
    /// The node that defines a value; throws Malformed where none does so far. An optional one gives no_node instead.
    std::function<NodeId(const std::string& name)> value;
    std::function<NodeId(const std::string& name)> value_if_defined;
    /// Reads {"name", "graph"} as a nested graph and returns the get_attr node that names it.
    std::function<NodeId(Json& graph_argument)> graph;
};

/// Lists come back as lists and not as tuples, since the format does not tell them apart. Moves strings out of
/// `argument`. Throws Malformed for an unknown kind.
[[nodiscard]] Argument read_argument(Json& argument, const ArgumentContext& context);

/// "torch.ops.aten.add.Tensor" for the schema's targets as str(graph) prints them: `_operator.mul` is `operator.mul`.
[[nodiscard]] std::string printed_target(std::string target);

} // namespace inspector::pt2
