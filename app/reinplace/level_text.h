// What level a graph is at, and what its operators are, for people.
#pragma once

#include <cstddef>
#include <string>

#include "core/graph/program.h"

namespace inspector {

/// Lines that end in newlines.
[[nodiscard]] std::string level_text(const Program& program, std::size_t graph);

} // namespace inspector
