#include "core/passes/reinplace/checks/inductor/inductor_write_check.h"

#include "core/passes/reinplace/inductor/write.h"

namespace inspector {
Finding InductorWriteCheck::ask(PassState& state, Candidate& candidate) const {
    if (!can_write_as_inductor(state, candidate))
        return {
            .answer = Finding::Answer::keeps, .check = CheckId::no_inplace_variant, .reason = Reason::overload_missing};
    const bool is_scatter = candidate.writer->kind == Writer::Kind::scatter;
    std::vector<Witness> against_others;
    for (const OperandDecision& operand : candidate.writer->operands)
        against_others.insert(against_others.end(), operand.witnesses.begin(), operand.witnesses.end());
    return {.answer = is_scatter ? Finding::Answer::scatter_copy : Finding::Answer::in_place,
            .check = is_scatter ? CheckId::scatter : CheckId::inplace_variant,
            .reason = is_scatter ? Reason::scatter_matched : Reason::has_inplace_variant,
            .witnesses = std::move(against_others)};
}

} // namespace inspector
