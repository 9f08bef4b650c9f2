// The member "custom" of a node's or a graph module's metadata: the text of a JSON object, which torch.export.load gives as
// node.meta["custom"] and graph_module.meta["custom"].
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "core/formats/pt2/json_tree.h"

namespace inspector::pt2 {

/// Puts the JSON object `record` into metadata "custom" of `owner`, a node or a graph module, under the keys of `path`, one
/// within the other, in place of what stands there. What stands elsewhere keeps its text. Throws Malformed where "custom" is no
/// such text, or what a key of `path` but the last leads to is no object.
void set_custom(Json& owner, std::initializer_list<std::string_view> path, std::string_view record);
/// Takes away what stands under `path`, and what is empty without it. Nothing is touched where there is no such thing.
void drop_custom(Json& owner, std::initializer_list<std::string_view> path);

} // namespace inspector::pt2
