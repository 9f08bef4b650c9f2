// Putting what a rule made in the place of the call.
#pragma once

#include <utility>
#include <vector>

#include "core/passes/decompose/call.h"

namespace inspector::decomposition {

/// Brings each value to the strides the call's result has, where they differ, by a copy. Trouble in `call` where a value has
/// another size or type than the graph says, or the strides cannot be had.
void fit_results(Call& call, Values& values);

struct Replacement {
    std::vector<std::pair<NodeId, NodeId>> replaced; ///< what named a result, and what is read in its place
    std::vector<NodeId> erased;
};
/// Makes every user of the call's results read `values`; erases the call and the getitem nodes of its results.
Replacement replace_call(Graph& graph, NodeId call, const Values& values);

} // namespace inspector::decomposition
