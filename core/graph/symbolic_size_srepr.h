// sympy's srepr form of a size expression; what SymbolicSize::parse_srepr reads.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "core/graph/symbolic_size.h"

namespace inspector {

/// "Mul(Integer(2), Symbol('s77'))"; `symbol` gives a symbol's form by its name. nullopt where the expression has a text
/// that is no function's (a float).
[[nodiscard]] std::optional<std::string> srepr(const SizeExpression& expression,
                                               const std::function<std::string(const std::string&)>& symbol);

} // namespace inspector
