// The Python functions that FX graphs call beside operators. Includes torch: only for core/execution's own sources.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include <ATen/core/ivalue.h>

#include "core/graph/result.h"

namespace inspector {

/// "operator.add", "math.ceil", "torch.sym_max" on numbers as Python computes them; "operator.getitem" on lists. On
/// tensors, the operator that does the same. nullopt: no function this program runs.
[[nodiscard]] std::optional<Result<c10::IValue>> call_python_function(std::string_view target,
                                                                      const std::vector<c10::IValue>& args);

} // namespace inspector
