// What Inductor's own pass logged, as text for people.
#pragma once

#include <string>
#include <string_view>

#include "core/graph/inductor_log.h"

namespace inspector {

/// A heading and one line for each operator and set of counters; with `node`, of the operator that node wraps alone.
/// Ends with a newline; empty where there is nothing to say.
[[nodiscard]] std::string inductor_text(const InductorLog& log, std::string_view node = {});

} // namespace inspector
