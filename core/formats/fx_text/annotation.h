// What print_readable says of a value: "f32[2, s13, 16][16*s13, 16, 1]cpu", "Sym(u0 >= 0)", "Parameter(f32[3])".
#pragma once

#include <string_view>

#include "core/graph/result.h"
#include "core/graph/tensor_meta.h"

namespace inspector::fx_text {

/// annotation := class "(" tensor ["," anything] ")" | tensor | "Sym(" expression ")"
/// tensor     := dtype "[" sizes "]" ["[" strides "]"] [device]
/// Sizes and strides are expressions, separated by commas outside of brackets. The storage offset is never printed.
/// Errors (without a place): unknown dtype, a size that is no expression or negative, more elements than 2^63 - 1.
[[nodiscard]] Result<ValueMeta> parse_annotation(std::string_view text);

} // namespace inspector::fx_text
