// The operators of torch._prims that Inductor's graphs have: Python registers them, LibTorch has none.
// Includes torch: only for core/execution's own sources.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <ATen/core/ivalue.h>

namespace inspector {

struct OperatorCall {
    std::string name; ///< "aten._to_copy.default"
    std::vector<c10::IValue> args;
    std::vector<std::pair<std::string, c10::IValue>> kwargs;
};

/// What prims.convert_element_type and prims.iota do on a CPU, as a call of an ATen operator (torch/_prims/__init__.py,
/// 2.13). nullopt: `call` is of no such operator, or has another form.
[[nodiscard]] std::optional<OperatorCall> as_aten_call(const OperatorCall& call);

} // namespace inspector
