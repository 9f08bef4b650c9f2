// A picture in Graphviz's DOT language.
#pragma once

#include <string>

#include "core/formats/dot/picture.h"

namespace inspector {

/// Deterministic, valid UTF-8, ends with a newline. Nodes are n0, n1, … in program order; names stand only in quoted labels,
/// with quotes, backslashes and entities escaped, so that no name can end a label or become markup.
[[nodiscard]] std::string print_dot(const Picture& picture);

} // namespace inspector
