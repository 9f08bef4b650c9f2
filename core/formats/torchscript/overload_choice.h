// Which overload of an operator a node of a printed graph calls: the text gives only the operator's name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/operators/operator_schema.h"

namespace inspector::torchscript {

/// The first overload of `name` ("aten::add"), in torch's order, that takes values of these types in this order, all
/// arguments given. nullptr: none does. Source: printed graphs have every argument, defaults included, by position.
[[nodiscard]] const Operator* choose_overload(std::string_view name, const std::vector<std::string_view>& types);

} // namespace inspector::torchscript
