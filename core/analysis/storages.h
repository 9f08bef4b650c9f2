// Storages of a graph and who lives on them: the alias sets.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/analysis/value_facts.h"

namespace inspector {

/// One storage and every value on it (an alias set).
struct Storage {
    StorageId id = 0;
    std::vector<NodeId> values;      ///< program order; list results and nodes holding them included, output excluded
    NodeId root = no_node;           ///< first value
    NodeId first_use = no_node;      ///< definition
    NodeId last_use = no_node;       ///< last node that reads any value; the output where it is returned
    std::int64_t bytes = 0;          ///< extent of the cells any value covers
    bool is_input = false;           ///< a placeholder lives on it
    bool is_output = false;          ///< some value on it is returned
};

class Storages {
public:
    [[nodiscard]] static Storages run(const Graph& graph, const GraphFacts& facts);
    /// In order of id.
    [[nodiscard]] const std::vector<Storage>& all() const { return storages_; }
    /// nullptr where the node has no tensor or nothing is known; a list result's first storage.
    [[nodiscard]] const Storage* of(NodeId id) const;

private:
    std::vector<Storage> storages_;
    std::vector<std::uint32_t> of_node_;
};

} // namespace inspector
