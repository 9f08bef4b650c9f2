// Arguments of a call as they are written, by position or by keyword.
#pragma once

#include <cstddef>
#include <string_view>

#include "core/graph/graph.h"

namespace inspector {

/// nullptr where `node` has no such keyword.
[[nodiscard]] const Argument* keyword_argument(const Node& node, std::string_view name);
/// The argument that a schema has at `position`, under `name`; nullptr where `node` leaves it out.
[[nodiscard]] const Argument* given_argument(const Node& node, std::size_t position, std::string_view name);

} // namespace inspector
