// Calls the custom operator itself where auto_functionalized calls it on clones.
//
//     %r = auto_functionalized_v2(mylib.scale_, f = 2.0, _x_base_index = 0, _all_bases = [%a])
//     %n = getitem(%r, 1)                                                             others use %n
//
//     %clone = clone(%a)                      left out where %a may be written
//     %scale_ = mylib.scale_(%clone, 2.0)                                             others use %clone, or %a
#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "core/operators/infer.h"
#include "core/passes/auto_functionalized/custom_call.h"

namespace inspector {

/// Layout of a value as far as it is known; nullptr where it is not.
using LayoutOfValue = std::function<const TensorLayout*(NodeId)>;

struct DecomposedCall {
    NodeId call = no_node;
    std::vector<NodeId> superfluous; ///< the node, then its getitems: nobody else uses them any more
    std::vector<std::pair<NodeId, NodeId>> replacements; ///< a getitem, and the value that stands for it
};

/// Whether every user takes the result item by item.
[[nodiscard]] bool is_decomposable(const Graph& graph, NodeId node, const CustomCall& call);

/// Inserts clones, views and the call before `node`, and makes its users use what was written. `in_place`: which of
/// `call.written` are written themselves, in their order. Erases nothing. nullopt, and nothing is changed, where some
/// user takes the result otherwise than item by item.
[[nodiscard]] std::optional<DecomposedCall> decompose_custom_call(Graph& graph, NodeId node, const CustomCall& call,
                                                                  const std::vector<bool>& in_place,
                                                                  const LayoutOfValue& layout);

/// Every custom call on clones of all it writes: the same values by plain calls.
void decompose_custom_calls(Graph& graph, const LayoutOfValue& layout);

} // namespace inspector
