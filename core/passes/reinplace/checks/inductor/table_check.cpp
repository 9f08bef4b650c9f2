#include "core/passes/reinplace/checks/inductor/table_check.h"

namespace inspector {
Finding InductorTableCheck::ask(PassState& state, Candidate& candidate) const {
    const InductorGraph& known = *state.inductor;
    Finding finding{
        .answer = Finding::Answer::keeps, .check = CheckId::not_a_candidate, .reason = Reason::not_in_table};
    const auto* group = known.group_of(candidate.node);
    const bool is_fused = group && group->first() != candidate.node;
    if (known.is_dead(candidate.node)) {
        finding.reason = Reason::dead_code;
    } else if (state.is_doomed(candidate.node)) {
        finding.reason = is_fused ? Reason::fused_scatter : Reason::replaced_by_operand;
        const NodeId by = state.replacement(candidate.node);
        if (by != no_node && state.original.contains(by)) candidate.self = by;
    } else if (is_fused) {
        finding.reason = Reason::fused_scatter;
    } else if (is_in_table(state.original, candidate.node, candidate.target)) {
        candidate.writer = writer_of(state.original, candidate.node, candidate.target, known);
        finding.reason = Reason::operand_unknown;
    }
    if (is_fused) finding.witnesses.push_back({WitnessRole::scatter, group->first(), state.time(group->first())});
    if (!candidate.writer || (candidate.writer->operands.empty() && !candidate.writer->writes_only)) {
        candidate.writer.reset();
        return finding;
    }
    for (OperandDecision& operand : candidate.writer->operands) operand.in_place = true; // until a check refuses it
    if (!candidate.writer->operands.empty()) candidate.self = candidate.writer->operands.front().values.front();
    return {.check = CheckId::not_a_candidate};
}

} // namespace inspector
