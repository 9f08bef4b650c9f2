// Names of functions, as generated code calls them and as str(graph) prints them.
#pragma once

#include <string>
#include <string_view>

namespace inspector::fx_text {

/// Target of a call in generated code: "torch.relu" stays, "len" is "builtins.len". Functions from outside of torch
/// lose their dots in code; those of operator, math and torch.Tensor get them back ("_operator_not_" is
/// "operator.not_"), others keep the name they have. Source: add_global of torch/fx/graph.py,
/// Node._pretty_print_target.
[[nodiscard]] std::string function_target(std::string_view called);

/// Target that an infix or prefix operator stands for: "operator.add"; empty for one FX never prints.
[[nodiscard]] std::string operator_target(std::string_view symbol, std::size_t operands);
/// Target of an augmented assignment: "operator.iadd" for "+=".
[[nodiscard]] std::string inplace_operator_target(std::string_view symbol);

} // namespace inspector::fx_text
