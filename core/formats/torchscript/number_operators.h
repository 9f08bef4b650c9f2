// TorchScript's operators on numbers, which FX graphs write as Python's.
#pragma once

#include <optional>
#include <string_view>

#include "core/graph/argument.h"
#include "core/operators/operator_schema.h"

namespace inspector::torchscript {

/// "operator.add" of aten::add.int, "torch.ops.aten.sym_size.int" of aten::size.int, "math.ceil" of aten::ceil.float.
/// nullopt for every operator that is called by its own name.
[[nodiscard]] std::optional<std::string_view> python_target(const Operator& op);
/// dtype, layout and memory format are numbers in TorchScript: of the schema's type `type`, the constant that `number` is.
[[nodiscard]] Argument typed_constant(std::string_view type, Argument number);

} // namespace inspector::torchscript
