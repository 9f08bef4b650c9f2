// Which functions and methods a written Python module may call.
//
// A file's targets are text; copied into source, "torch.os.system" would run. So only names whose meaning is known are
// written: operators, and what torch's own graphs call besides them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace inspector {

/// A call_function target as a Python expression: "torch.ops.aten.add.Tensor", "operator.mul", "math.floor",
/// "torch.sym_max", "torch.nn.functional.relu", "torch.relu" (where an aten operator has that name). Parts that are
/// keywords go through getattr: `getattr(torch.ops.aten.random_, "from")`. nullopt: not on the list.
[[nodiscard]] std::optional<std::string> python_function(std::string_view target);

/// An operator as str(op) gives it, with library and overload: "aten.add.Tensor" is torch.ops.aten.add.Tensor. nullopt:
/// not of that form, or not what python_function would write.
[[nodiscard]] std::optional<std::string> python_operator(std::string_view name);

/// Python's builtins that written expressions use; a local of one of these names would hide it.
[[nodiscard]] std::vector<std::string> used_builtins();

/// Whether call_method may name it: methods that are aten operators, and a tensor's plain queries and conversions.
[[nodiscard]] bool is_callable_method(std::string_view name);

/// Whether builtins.getattr may read it from a value: a tensor's properties.
[[nodiscard]] bool is_readable_attribute(std::string_view name);

} // namespace inspector
