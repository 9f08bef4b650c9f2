#include "core/passes/reinplace/proposals/refused_node.h"

#include <algorithm>

namespace inspector {
namespace {

bool may_write(const RefusedNode& refused, NodeId id) {
    const Node& call = refused.graph().node(id);
    if (call.opcode == Opcode::placeholder || call.opcode == Opcode::get_attr || call.opcode == Opcode::output)
        return false;
    if (call.target == "operator.getitem" || call.target == "_operator.getitem") return false;
    const Operator* op = refused.op(id);
    return !op || op->is_mutable;
}

} // namespace

NodeId RefusedNode::witness(WitnessRole role) const {
    const auto found = std::ranges::find(decision.witnesses, role, &Witness::role);
    return found != decision.witnesses.end() ? found->node : no_node;
}

std::vector<RefusedNode::LaterUse> RefusedNode::later_uses() const {
    std::vector<LaterUse> uses;
    if (decision.check != CheckId::later_use) return uses;
    const auto& witnesses = decision.witnesses;
    for (std::size_t i = 0; i < witnesses.size(); ++i) {
        if (witnesses[i].role != WitnessRole::later_use) continue;
        const bool has_view = i + 1 < witnesses.size() && witnesses[i + 1].role == WitnessRole::through_view;
        uses.push_back({witnesses[i].node, has_view ? witnesses[i + 1].node : decision.operand});
    }
    return uses;
}

std::vector<StorageId> RefusedNode::storages_read(NodeId id) const {
    std::vector<StorageId> storages;
    for (const NodeId input : graph().inputs(id))
        storages.insert(storages.end(), facts().storages(input).begin(), facts().storages(input).end());
    return storages;
}

bool RefusedNode::is_written_between(NodeId from, NodeId to, std::span<const StorageId> storages) const {
    for (NodeId id = graph().next(from); id != no_node && id != to; id = graph().next(id)) {
        if (!may_write(*this, id)) continue;
        for (const StorageId written : storages_read(id))
            if (std::ranges::find(storages, written) != storages.end()) return true;
    }
    return false;
}

} // namespace inspector
