// Operators that the LibTorch in this process has registered and the 2.13 list does not know: custom libraries, other
// versions of torch. Torch-free header.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/operators/operator_schema.h"

namespace inspector {

/// All overloads of "mylib::foo" in the order torch lists them; empty when the dispatcher has none.
[[nodiscard]] std::vector<Operator> dispatcher_overloads(std::string_view qualified_name);

} // namespace inspector
