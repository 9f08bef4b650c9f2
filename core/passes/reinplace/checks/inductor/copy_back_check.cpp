#include "core/passes/reinplace/checks/inductor/copy_back_check.h"

#include <algorithm>

#include "core/passes/reinplace/checks/inductor/refuse_operands.h"

namespace inspector {
namespace {

std::optional<Refusal> ask_for_input(const PassState& state, NodeId value, NodeId node) {
    const InductorGraph& known = *state.inductor;
    const auto witness = [&](WitnessRole role, NodeId named) { return Witness{role, named, state.time(named)}; };
    if (known.is_input(value)) {
        if (known.copy_into(value) != no_node) return std::nullopt;
        return Refusal{Reason::input_not_copied_back, {witness(WitnessRole::input, value)}};
    }
    const std::vector<NodeId> aliases = known.overlapping_values(value);
    const auto input = std::ranges::find_if(aliases, [&](NodeId alias) { return known.is_input(alias); });
    if (input == aliases.end()) return std::nullopt;
    const auto* group = known.group_of(node);
    if (known.copy_back_through_views(value, group ? group->result() : node) != no_node) return std::nullopt;
    Refusal refusal{Reason::view_not_copied_back,
                    {witness(WitnessRole::self, value), witness(WitnessRole::input, *input)}};
    const NodeId copy = known.copy_into(*input);
    if (copy == no_node) return refusal;
    refusal.witnesses.push_back(witness(WitnessRole::copy_back, copy));
    refusal.witnesses.push_back(witness(WitnessRole::operand, state.original.node(copy).args[1].node()));
    return refusal;
}

} // namespace

Finding CopyBackCheck::ask(PassState& state, Candidate& candidate) const {
    const bool is_list = candidate.writer->kind == Writer::Kind::foreach_list;
    return refuse_operands(
        candidate, CheckId::input_alias, [&](const OperandDecision& operand) -> std::optional<Refusal> {
            for (const NodeId value : operand.values) {
                if (is_list && state.inductor->copy_back(value, candidate.node) == no_node)
                    return Refusal{Reason::input_not_copied_back, {{WitnessRole::self, value, state.time(value)}}};
            }
            for (const NodeId value : operand.values)
                if (auto refusal = ask_for_input(state, value, candidate.node)) return refusal;
            return std::nullopt;
        });
}

} // namespace inspector
