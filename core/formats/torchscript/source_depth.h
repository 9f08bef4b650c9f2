// How deeply TorchScript's Python code is nested, found out before a recursive compiler reads it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/graph/result.h"

namespace inspector::torchscript {

/// The sum over all functions of `source` of how deep their deepest statement may nest: brackets, operators and blocks in it
/// counted. Error: one statement has more brackets inside brackets, or blocks inside blocks, than `depth`, or 2,000
/// operators. Strings and comments count nothing.
[[nodiscard]] Result<std::size_t> measure_nesting(std::string_view source, std::uint32_t depth);

} // namespace inspector::torchscript
