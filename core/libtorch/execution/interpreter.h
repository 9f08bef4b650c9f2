// Runs a graph node by node on LibTorch's CPU kernels. Includes torch: only for core/libtorch.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <ATen/core/ivalue.h>

#include "core/execution/run_options.h"
#include "core/graph/program.h"
#include "core/graph/result.h"

namespace inspector {

/// What a finished run leaves.
struct RunOutcome {
    std::vector<c10::IValue> outputs;  ///< leaves of the output node's argument, in order
    std::int64_t peak_bytes = 0;       ///< most bytes LibTorch's CPU allocator had out during the run, over those at its start
};

struct RunFailure {
    Error error;
    bool refused = false;              ///< cancelled, or beyond the memory limit: says nothing about the graph
};

/// Runs `graph`, which belongs to program.graphs[index] (before or after a rewrite), on `inputs`, one for each placeholder,
/// which it may write to. Mutation outputs of the signature are copied into what they mutate afterwards, as torch.export
/// does. Gradients are off. The error's place names the node, its reason is torch's.
[[nodiscard]] tl::expected<RunOutcome, RunFailure> run_graph(const Program& program, std::size_t index, const Graph& graph,
                                                              const std::vector<c10::IValue>& inputs,
                                                              const std::map<std::string, c10::IValue>& attributes,
                                                              const RunOptions& options);

/// Which input (by place) an output of the signature is written back into; nullopt for one that is returned.
[[nodiscard]] std::optional<std::size_t> mutated_input(const ProgramGraph& source, const OutputSpec& spec);

} // namespace inspector
