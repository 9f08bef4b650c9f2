// node.meta["custom"], as print_readable shows it in the comment above a node.
#pragma once

#include <string>
#include <string_view>

namespace inspector {

/// `custom` is what a file holds: a .pt2 the JSON of a Python dict, FX text what print_readable wrote of it, which is
/// returned as it is. Values longer than 40 characters are cut, as torch 2.13 does. Empty where there is nothing to show.
[[nodiscard]] std::string custom_annotation(std::string_view custom);

} // namespace inspector
