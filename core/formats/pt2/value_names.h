// Names of values and nodes as torch's serializer and torch.fx give them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/formats/pt2/json_tree.h"

namespace inspector::pt2 {

/// Names become Python variables; anything else in them could write code into an exported graph.
[[nodiscard]] bool is_identifier(std::string_view name);

/// Result `position` of node `node` where nothing uses it: "split_unused_1". Within lists "two_unused_1_0".
[[nodiscard]] std::string unused_name(std::string_view node, std::size_t position);
[[nodiscard]] bool is_unused_name(std::string_view name);

/// What FX calls a node without a given name (Graph._target_to_str, _Namespace.create_name), before it is made unique:
/// "split_tensor" for torch.ops.aten.split.Tensor, "cond" for torch.ops.higher_order.cond.
[[nodiscard]] std::string name_from_target(std::string_view target);

// Where the schema keeps the name of a value. These throw Malformed for what is no object of the expected form.

/// Of a member of the Argument union: as_tensor, as_custom_obj, as_sym_*: {as_name}. nullptr for anything else.
[[nodiscard]] std::string* value_name(JsonMember& argument);
/// Of an item of a node's results: {"as_tensor": {"name"}} among several, {"name"} and {"as_name"} in a list.
/// nullptr where it is no single value.
[[nodiscard]] std::string* result_name(Json& item);

} // namespace inspector::pt2
