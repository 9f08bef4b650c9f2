// What level a graph is at, and what its operators are, for people.
#pragma once

#include <cstddef>
#include <string>

#include "core/graph/nesting.h"

namespace inspector {

/// Lines that end in newlines. `nesting`: of `program`.
[[nodiscard]] std::string level_text(const Program& program, std::size_t graph, const Nesting& nesting);

} // namespace inspector
