#include "core/passes/reinplace/checks/inductor/alias_use_check.h"

#include <algorithm>

#include "core/passes/reinplace/checks/inductor/refuse_operands.h"

namespace inspector {
namespace {

constexpr std::size_t witness_limit = 16;

std::optional<Refusal> ask_for_uses(const PassState& state, NodeId value, NodeId node) {
    const InductorGraph& known = *state.inductor;
    // What the input holds after the copy_ is what it is to hold.
    NodeId copy = no_node, written = value;
    if (known.is_input(value)) {
        copy = known.copy_into(value);
    } else {
        const auto* group = known.group_of(node);
        copy = known.copy_back_through_views(value, group ? group->result() : node);
        if (copy != no_node) written = state.original.node(copy).args[0].node();
    }
    const auto counts = [&](NodeId user) {
        if (known.time(user) <= known.time(node) || (copy != no_node && known.time(copy) <= known.time(user)))
            return false;
        if (known.reads_metadata_only(user)) return false;
        const bool overwrites = state.target(user).short_name == "aten.copy_.default" &&
                                state.original.node(user).args[0].node() == written;
        return !overwrites;
    };
    Refusal refusal{Reason::used_later};
    for (const NodeId alias : known.overlapping_values(value)) {
        for (const NodeId user : known.users(alias)) {
            if (refusal.fields.size() == witness_limit || !counts(user)) continue;
            const std::string& name = state.original.node(user).name;
            if (std::ranges::find(refusal.fields, name) != refusal.fields.end()) continue;
            refusal.fields.push_back(name);
            refusal.witnesses.push_back({WitnessRole::later_use, user, state.time(user)});
            if (alias != value) refusal.witnesses.push_back({WitnessRole::through_view, alias, state.time(alias)});
        }
    }
    if (refusal.fields.empty()) return std::nullopt;
    std::ranges::sort(refusal.fields);
    return refusal;
}

} // namespace

Finding AliasUseCheck::ask(PassState& state, Candidate& candidate) const {
    return refuse_operands(candidate, CheckId::later_use,
                           [&](const OperandDecision& operand) -> std::optional<Refusal> {
                               for (const NodeId value : operand.values)
                                   if (auto refusal = ask_for_uses(state, value, candidate.node)) return refusal;
                               return std::nullopt;
                           });
}

} // namespace inspector
