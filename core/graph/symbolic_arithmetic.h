// Sums and products of sizes that are expressions.
#pragma once

#include <optional>
#include <vector>

#include "core/graph/symbolic_size.h"

namespace inspector {

/// a + b and a * b, as sympy writes them: constants folded, like terms and like factors collected, a number multiplied
/// into a sum ("2*s0 + 2"), terms in sympy's order. The hint is that of the result where both have one. nullopt: an integer
/// does not fit into 64 bits, or an operand has a part that is no integer expression (a float).
[[nodiscard]] std::optional<SymbolicSize> sum(const SymbolicSize& a, const SymbolicSize& b);
[[nodiscard]] std::optional<SymbolicSize> product(const SymbolicSize& a, const SymbolicSize& b);

/// Strides of a tensor that fills its storage in row-major order; like torch, a size of 0 counts as 1. nullopt: a size other
/// than the first is no constant, or a stride does not fit into 64 bits.
[[nodiscard]] std::optional<std::vector<SymbolicSize>> contiguous_strides(const std::vector<SymbolicSize>& sizes);

} // namespace inspector
