// How much memory is live at each node, if every storage lives from its definition to its last use.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/graph/graph.h"
#include "core/operators/infer.h"

namespace inspector {

/// When a storage is live: places in MemoryTimeline::nodes, both included.
struct Lifetime {
    StorageId storage = 0;
    std::size_t first = 0;
    std::size_t last = 0;
    std::int64_t bytes = 0;
};

struct MemoryTimeline {
    std::vector<NodeId> nodes;              ///< program order
    std::vector<std::int64_t> live_bytes;   ///< while that node runs, its own result included
    std::int64_t peak = 0;
    std::size_t peak_place = 0;             ///< the first with that many bytes
    std::vector<Lifetime> lifetimes;        ///< by storage id

    /// What is live at a place, largest first; of equal ones the smaller id first. Linear in the number of storages.
    [[nodiscard]] std::vector<Lifetime> live_at(std::size_t place) const;
};

/// Storages of a node's value; several for a list.
using StoragesOfNode = std::function<std::span<const StorageId>(NodeId)>;

/// Storages of placeholders and attributes live all the time: the caller holds them. `bytes` gives each storage's size
/// by id.
[[nodiscard]] MemoryTimeline simulate_memory(const Graph& graph, const StoragesOfNode& storages,
                                             const std::vector<std::int64_t>& bytes);

} // namespace inspector
