// Which layouts of a file hold when the graph really runs. Strides in a file are those of fake tensors; some CPU kernels
// pick others (convolution gives channels-last in the file, contiguous when run).
#pragma once

#include <vector>

#include "core/analysis/value_facts.h"
#include "core/graph/program.h"
#include "core/graph/size_order.h"

namespace inspector {

/// By node index: the strides and offset of the node's result are as the facts say, whichever kernels run.
///
/// Trusted: inputs and attributes whose strides the file gives; results of operators whose layout follows from their
/// arguments, where these are trusted. Not trusted: convolutions, pooling, resampling, attention, recurrent cells,
/// whatever is computed element by element or viewed from such a value, and operators nobody knows.
[[nodiscard]] std::vector<bool> trusted_layouts(const ProgramGraph& source, const GraphFacts& facts);

/// Of those, the ones whose strides of dimensions of size 1 hold too. They move nothing, and kernels set them as they like:
/// hardtanh keeps its operand's, add of a number too, where fake tensors say they are contiguous. They hold for inputs and
/// what is viewed or copied from what holds, for results without such dimensions, and where all operands are contiguous or
/// the operator's results always are.
/// A symbolic size that `order` does not put above 1 may be 1.
[[nodiscard]] std::vector<bool> exact_layouts(const ProgramGraph& source, const GraphFacts& facts, const SizeOrder& order,
                                              const std::vector<bool>& trusted);

} // namespace inspector
