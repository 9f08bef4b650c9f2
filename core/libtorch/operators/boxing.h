// Between this program's constants and torch's IValues. Includes torch: only for the few sources that call operators.
#pragma once

#include <optional>

#include <ATen/core/function_schema.h>
#include <ATen/core/ivalue.h>

#include "core/graph/argument.h"
#include "core/graph/result.h"

namespace inspector {

/// nullopt where this LibTorch is too old to have the type, or the program does not know it.
[[nodiscard]] std::optional<c10::ScalarType> scalar_type(DType dtype);
[[nodiscard]] std::optional<DType> dtype_of(c10::ScalarType type);

/// The IValue nearest to a constant; coerce() then fits it to a parameter. Dtypes, layouts and memory formats become
/// ints, as the dispatcher wants them; symbolic sizes their hint. Errors: node references, dicts and opaque text.
[[nodiscard]] Result<c10::IValue> to_ivalue(const Argument& constant);
/// A list of what to_ivalue gave: typed where all items are ints or all are tensors, else a generic list.
[[nodiscard]] c10::IValue make_list(std::vector<c10::IValue> items);

/// Fits `value` to the type of `parameter` as Python's calls of torch.ops do: a number given for a Tensor becomes a 0-dim
/// tensor on `number_device` that takes part in type promotion as a number; an int given for int[N] is repeated N
/// times; None for a Tensor is the undefined tensor. The error names the parameter.
[[nodiscard]] Result<c10::IValue> coerce(c10::IValue value, const c10::Argument& parameter, c10::Device number_device);

/// A result as a constant. nullopt for tensors, and for what Argument cannot hold.
[[nodiscard]] std::optional<Argument> to_argument(const c10::IValue& value);

} // namespace inspector
