#include "core/analysis/storages.h"

#include <algorithm>

#include "core/analysis/tensor_extent.h"

namespace inspector {
namespace {

void cover(Storage& storage, const TensorLayout& layout) { storage.bytes = std::max(storage.bytes, end_byte(layout)); }

} // namespace

Storages Storages::run(const Graph& graph, const GraphFacts& facts) {
    Storages result;
    std::vector<std::uint32_t> slot(facts.storage_limit(), 0); // 1 + place in storages_
    for (const NodeId id : graph) {
        const Node& node = graph.node(id);
        if (node.opcode == Opcode::output) continue;
        for (const StorageId storage : facts.storages(id)) {
            if (slot[storage] == 0) {
                result.storages_.push_back({});
                slot[storage] = static_cast<std::uint32_t>(result.storages_.size());
                result.storages_.back().id = storage;
                result.storages_.back().root = id;
                result.storages_.back().first_use = id;
            }
            Storage& known = result.storages_[slot[storage] - 1];
            known.values.push_back(id);
            known.is_input |= node.opcode == Opcode::placeholder;
        }
        for (const auto& item : facts.of(id).items)
            if (item && item->storage != 0) cover(result.storages_[slot[item->storage] - 1], *item);
    }
    // Readers in program order: the last one stands.
    for (const NodeId id : graph) {
        for (const NodeId input : graph.inputs(id)) {
            for (const StorageId storage : facts.storages(input)) {
                Storage& read = result.storages_[slot[storage] - 1];
                read.last_use = id;
                read.is_output |= graph.node(id).opcode == Opcode::output;
            }
        }
    }
    // Ids count up in program order; a list's items may have been named when a getitem asked for them.
    std::ranges::sort(result.storages_, {}, &Storage::id);
    result.of_node_.assign(graph.id_limit(), 0);
    for (std::uint32_t i = 0; i < result.storages_.size(); ++i) slot[result.storages_[i].id] = i + 1;
    for (const NodeId id : graph)
        if (graph.node(id).opcode != Opcode::output && !facts.storages(id).empty())
            result.of_node_[index_of(id)] = slot[facts.storages(id).front()];
    return result;
}

const Storage* Storages::of(NodeId id) const {
    const std::uint32_t place = index_of(id) < of_node_.size() ? of_node_[index_of(id)] : 0;
    return place == 0 ? nullptr : &storages_[place - 1];
}

} // namespace inspector
