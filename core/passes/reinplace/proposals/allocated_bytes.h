// How much memory a program takes for itself after the pass.
#pragma once

#include <cstdint>

#include "core/passes/reinplace/session.h"

namespace inspector {

/// Bytes of all storages that the rewritten graph brings into being, at whatever time they live: those of the graph
/// without what reinplaced results need no more. The session must stand at its end.
[[nodiscard]] std::int64_t allocated_bytes(const ReinplaceSession& session);

} // namespace inspector
