// Operators whose kernels do one step, or make one tensor, for each index of a dimension. On metadata such a step costs
// time and memory while the sizes cost nothing: a file of a few bytes could ask for 10^15 of them.
// Includes torch: for the sources that call operators.
#pragma once

#include <cstdint>
#include <string_view>

#include <ATen/core/stack.h>

namespace inspector {

/// An upper bound of the steps the call takes; 1 for every operator that is not of this kind. `stack` holds all its
/// arguments. Never throws.
[[nodiscard]] std::int64_t unrolled_steps(std::string_view qualified_name, const torch::jit::Stack& stack);

} // namespace inspector
