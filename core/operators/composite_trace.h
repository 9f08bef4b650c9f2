// What a composite operator does, seen by running it: the calls of other operators that its kernel makes.
// Torch-free header.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/graph/argument.h"
#include "core/graph/result.h"
#include "core/operators/infer.h"
#include "core/operators/operator_schema.h"

namespace inspector {

/// A call of an operator that is composite no more. Its tensors are values of the trace: NodeReference{NodeId{v}} is value v.
/// First come the tensors the traced call was given, in order, then the results of each call; those of a list one by one.
struct TracedCall {
    const Operator* op = nullptr;
    std::vector<Argument> args;          ///< without those at the end that are the schema's defaults
    std::vector<NamedArgument> kwargs;
    std::size_t first_result = 0;
    std::size_t result_count = 0;
    bool returns_list = false;           ///< a tuple or a list: results are its items
};

struct CompositeTrace {
    std::size_t input_count = 0;
    std::vector<TracedCall> calls;
    std::vector<Argument> results;       ///< one for each of the operator's; a list where it returns one
};

/// Runs `op` on the meta device through LibTorch's dispatcher and writes down what it calls, each operator with a kernel
/// of its own, or tagged `core`, as one call. Sizes are those of the layouts given. A write to a tensor that the kernel made becomes
/// the operator that returns what is written. Error: `op` has no composite kernel, a kernel asks for data, writes what it was
/// given, reads a tensor after it wrote a view of it, or makes more than 10,000 calls.
[[nodiscard]] Result<CompositeTrace> trace_composite(const Operator& op, const std::vector<MetaValue>& args);

} // namespace inspector
