// What the caller gets of what a graph's output refers to.
#pragma once

#include <vector>

#include "core/graph/program.h"

namespace inspector {

/// The signature's `spec` says that the output becomes the value of an input: it is not returned.
[[nodiscard]] bool is_written_back(const OutputSpec& spec);

/// The value of which input: `spec` says that the output becomes that of `input`.
[[nodiscard]] bool is_written_back_to(const OutputSpec& spec, const InputSpec& input);

/// Values the caller gets, in order, a value that is returned twice twice. `graph` is source's, or a copy of it.
[[nodiscard]] std::vector<NodeId> returned_values(const ProgramGraph& source, const Graph& graph);

} // namespace inspector
