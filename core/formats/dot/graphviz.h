// Graphviz's `dot` as a child process that can be killed: its library has neither a cancel nor a time limit, and on wide
// graphs of some thousand nodes it never ends.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "core/graph/result.h"

namespace inspector {

/// SVG that `dot -Tsvg` makes of `dot_text`. Error: dot is not installed, it failed (with its first message), or it took
/// longer than `limit` and was killed.
[[nodiscard]] Result<std::string> run_dot(std::string_view dot_text, std::chrono::milliseconds limit);

} // namespace inspector
