// Which layouts of a file hold when the graph really runs. Strides in a file are those of fake tensors; some CPU kernels
// pick others (convolution gives channels-last in the file, contiguous when run).
#pragma once

#include <vector>

#include "core/analysis/value_facts.h"
#include "core/graph/program.h"

namespace inspector {

/// By node index: the strides and offset of the node's result are as the facts say, whichever kernels run.
///
/// Trusted: inputs and attributes whose strides the file gives; results of operators whose layout follows from their
/// arguments, where these are trusted. Not trusted: convolutions, pooling, resampling, attention, recurrent cells,
/// whatever is computed element by element or viewed from such a value, and operators nobody knows.
[[nodiscard]] std::vector<bool> trusted_layouts(const ProgramGraph& source, const GraphFacts& facts);

} // namespace inspector
