// What torch._inductor does to a graph's order before it reinplaces.
#pragma once

#include <vector>

#include "core/graph/graph.h"
#include "core/passes/reinplace/target.h"

namespace inspector {

/// Nodes whose results nobody needs, by node index: Inductor removes them first, so they keep nothing from being
/// overwritten. Operators that write, assert or communicate stay, random ones do not
/// (torch.fx.Graph.eliminate_dead_code). `targets` by node index.
[[nodiscard]] std::vector<bool> dead_nodes(const Graph& graph, const std::vector<const Target*>& targets);

/// The graph computes no gradients: no input is named primals_… or tangents_…, as AOTAutograd names those of training.
[[nodiscard]] bool is_for_inference(const Graph& graph);

/// Moves producers right before the first node that needs them
/// (torch._inductor.fx_passes.post_grad.reorder_for_locality): only before the first copy_, never past an operator that
/// writes, and no random operator. Dead nodes follow their inputs.
void reorder_for_locality(Graph& graph, const std::vector<const Target*>& targets, const std::vector<bool>& is_dead);

} // namespace inspector
