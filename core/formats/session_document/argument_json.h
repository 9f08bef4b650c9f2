// Arguments of a node as JSON: what JSON has stands for itself, everything else is an object with one member that names
// its kind.
//
//     None, True, 3, 0.5, "sum"      null, true, 3, 0.5, "sum"
//     [%a, 3]                        [{"node":"a"}, 3]
//     (1,)                           {"tuple":[1]}
//     torch.float32                  {"dtype":"f32"}
//     inf                            {"float":"inf"}
#pragma once

#include <functional>

#include "core/formats/session_document/json_document.h"
#include "core/graph/graph.h"

namespace inspector::session_document {

[[nodiscard]] Json argument_json(const Graph& graph, const Argument& argument);

/// References are to nodes that `graph` has already. `depth`: levels of lists that may still follow.
[[nodiscard]] Argument read_argument(const Graph& graph, const Json& json, std::uint32_t depth);

} // namespace inspector::session_document
