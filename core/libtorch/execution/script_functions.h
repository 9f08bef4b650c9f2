// TorchScript's functions of numbers, lists and shapes, which its own interpreter runs and the dispatcher does not know.
// Includes torch: only for core/execution's own sources.
#pragma once

#include <string>
#include <vector>

#include <ATen/core/ivalue.h>

#include "core/graph/result.h"

namespace inspector {

/// "aten::Bool", "aten::len"…: those that compute something of their arguments and do nothing else.
[[nodiscard]] bool is_script_function(const std::string& name);
/// Error: no such overload, or the arguments are not what it takes (torch's words).
[[nodiscard]] Result<c10::IValue> call_script_function(const std::string& name, const std::string& overload,
                                                       const std::vector<c10::IValue>& args);

} // namespace inspector
