// What Inductor's own pass logged, as JSON beside what ours decides.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/graph/inductor_log.h"

namespace inspector {

/// {"ops": [{"op", "node", "candidates", "reinplaced", "cloned", "missed", "missed_bytes"}], "counters": {name: number}};
/// counters of one name are added up.
[[nodiscard]] nlohmann::ordered_json inductor_object(const InductorLog& log);

} // namespace inspector
