// How much memory is live at each node, if every storage lives from its definition to its last use.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/graph/graph.h"
#include "core/operators/infer.h"

namespace inspector {

struct MemoryTimeline {
    std::vector<NodeId> nodes;              ///< program order
    std::vector<std::int64_t> live_bytes;   ///< while that node runs, its own result included
    std::int64_t peak = 0;
};

/// Storages of a node's value; several for a list.
using StoragesOfNode = std::function<std::span<const StorageId>(NodeId)>;

/// Storages of placeholders and attributes live all the time: the caller holds them. `bytes` gives each storage's size
/// by id.
[[nodiscard]] MemoryTimeline simulate_memory(const Graph& graph, const StoragesOfNode& storages,
                                             const std::vector<std::int64_t>& bytes);

} // namespace inspector
