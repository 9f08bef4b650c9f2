// A decision as JSON, as far as every form of it goes.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/passes/reinplace/session.h"

namespace inspector {

/// {"index", "node", "target", "verdict", "check", "reason", "detail", "new_target"}, as decisions_json.h says.
[[nodiscard]] nlohmann::ordered_json decision_object(const ReinplaceSession& session, const Decision& decision);

} // namespace inspector
