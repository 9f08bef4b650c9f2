#include "core/analysis/memory_timeline.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <limits>

namespace inspector {
namespace {

constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();

std::int64_t saturating_add(std::int64_t a, std::int64_t b) {
    std::int64_t sum = 0;
    return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<std::int64_t>::max() : sum;
}

} // namespace

MemoryTimeline simulate_memory(const Graph& graph, const StoragesOfNode& storages,
                               const std::vector<std::int64_t>& bytes) {
    MemoryTimeline timeline;
    timeline.nodes.assign(graph.begin(), graph.end());
    const std::size_t count = timeline.nodes.size();
    std::vector<std::size_t> first(bytes.size(), nowhere), last(bytes.size(), 0);
    for (std::size_t place = 0; place < count; ++place) {
        const NodeId node = timeline.nodes[place];
        const Opcode opcode = graph.node(node).opcode;
        const bool held_by_caller = opcode == Opcode::placeholder || opcode == Opcode::get_attr;
        if (opcode != Opcode::output) {
            for (const StorageId storage : storages(node)) {
                if (first[storage] == nowhere) first[storage] = held_by_caller ? 0 : place;
                last[storage] = std::max(last[storage], held_by_caller ? count - 1 : place);
            }
        }
        for (const NodeId input : graph.inputs(node))
            for (const StorageId storage : storages(input)) last[storage] = std::max(last[storage], place);
    }
    std::vector<std::int64_t> born(count, 0), dies(count, 0);
    for (std::size_t storage = 0; storage < bytes.size(); ++storage) {
        if (first[storage] == nowhere) continue;
        timeline.lifetimes.push_back({static_cast<StorageId>(storage), first[storage], last[storage], bytes[storage]});
        born[first[storage]] = saturating_add(born[first[storage]], bytes[storage]);
        dies[last[storage]] = saturating_add(dies[last[storage]], bytes[storage]);
    }
    std::int64_t live = 0;
    for (std::size_t place = 0; place < count; ++place) {
        live = saturating_add(live, born[place]);
        timeline.live_bytes.push_back(live);
        if (live > timeline.peak) {
            timeline.peak = live;
            timeline.peak_place = place;
        }
        live -= dies[place];
    }
    return timeline;
}

std::vector<Lifetime> MemoryTimeline::live_at(std::size_t place) const {
    std::vector<Lifetime> live;
    std::ranges::copy_if(lifetimes, std::back_inserter(live), [place](const Lifetime& each) {
        return each.first <= place && place <= each.last && each.bytes > 0;
    });
    std::ranges::stable_sort(live, std::greater(), &Lifetime::bytes);
    return live;
}

} // namespace inspector
