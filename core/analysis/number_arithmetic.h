// Python's arithmetic on numbers, as graphs of symbolic shapes do it between tensor operators.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/graph/argument.h"

namespace inspector {

/// Result of "operator.mul", "_operator.floordiv", "math.ceil", "torch.sym_max"… on numbers (int, float, bool).
/// nullopt: another target, other operands, overflow, division by zero.
[[nodiscard]] std::optional<Argument> compute_number(std::string_view target, const std::vector<Argument>& operands);

} // namespace inspector
