// Arguments of a node as the Argument union of torch/_export/serde/schema.py: inverse of argument_reader.h.
#pragma once

#include <functional>
#include <string_view>

#include "core/formats/pt2/json_tree.h"
#include "core/graph/graph.h"

namespace inspector::pt2 {

/// `graph` is the one the argument stands in; `nested` gives a get_attr node's {"name", "graph"}. `schema_type`
/// ("int[]", empty where unknown) tells what an empty list is of. Throws Malformed for what the schema cannot express.
[[nodiscard]] Json argument_json(const Graph& graph, const Argument& argument, std::string_view schema_type,
                                 const std::function<Json(const Node&)>& nested);

/// "operator.mul" → "_operator.mul": inverse of printed_target.
[[nodiscard]] std::string serialized_target(std::string target);

} // namespace inspector::pt2
