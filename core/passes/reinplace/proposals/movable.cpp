#include "core/passes/reinplace/proposals/movable.h"

#include <algorithm>
#include <set>

namespace inspector {
namespace {

constexpr std::size_t node_limit = 32;

bool stays_the_same(const RefusedNode& refused, NodeId id) {
    const Node& node = refused.graph().node(id);
    if (node.opcode == Opcode::get_attr) return true;
    if (node.opcode != Opcode::call_function) return false;
    const bool is_getitem = node.target == "operator.getitem" || node.target == "_operator.getitem";
    const Operator* op = refused.op(id);
    if (!is_getitem && (!op || op->is_mutable || op->returns.empty() || op->has_tag("nondeterministic_seeded")))
        return false;
    return !refused.is_written_between(refused.node, id, refused.storages_read(id));
}

} // namespace

std::optional<std::vector<NodeId>> movable_before(const RefusedNode& refused, const std::vector<NodeId>& wanted) {
    const Graph& graph = refused.graph();
    std::vector<NodeId> found, pending = wanted;
    std::set<NodeId> seen;
    while (!pending.empty()) {
        const NodeId id = pending.back();
        pending.pop_back();
        if (graph.is_before(id, refused.node) || !seen.insert(id).second) continue;
        if (id == refused.node || found.size() == node_limit || !stays_the_same(refused, id)) return std::nullopt;
        found.push_back(id);
        for (const NodeId input : graph.inputs(id)) pending.push_back(input);
    }
    std::ranges::sort(found, [&](NodeId a, NodeId b) { return graph.is_before(a, b); });
    return found;
}

} // namespace inspector
