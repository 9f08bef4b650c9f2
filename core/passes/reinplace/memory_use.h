// Simulated memory of a graph before and after the rewrites made so far.
#pragma once

#include "core/analysis/memory_timeline.h"
#include "core/passes/reinplace/session.h"

namespace inspector {

struct MemoryUse {
    MemoryTimeline before;  ///< places are nodes of session.original()
    MemoryTimeline after;   ///< places are nodes of session.graph(); a reinplaced result's storage is its operand's
    std::int64_t held = 0;  ///< bytes of inputs and attributes, which the caller holds all the time: part of both
};

/// Storages are those of session.storages(). Linear in the graph.
[[nodiscard]] MemoryUse simulate_memory_use(const ReinplaceSession& session);

} // namespace inspector
