#include "core/passes/reinplace/checks/sound/returned_alias_check.h"

namespace inspector {

Finding ReturnedAliasCheck::ask(PassState& state, Candidate& candidate) const {
    const Placements& places = *state.places;
    const StorageId self = state.storage(candidate.self), result = state.storage(candidate.node);
    const bool joins = places.home(self) != places.home(result);
    if (!joins || !places.is_returned(result) || !(places.is_returned(self) || places.is_input(self)))
        return {.check = CheckId::output_alias};
    const auto witness = [&](WitnessRole role, NodeId node) { return Witness{role, node, state.time(node)}; };
    Finding finding{.answer = Finding::Answer::keeps, .check = CheckId::output_alias, .reason = Reason::returned_alias,
                    .witnesses = {witness(WitnessRole::self, candidate.self), witness(WitnessRole::later_use, state.original.output()),
                                  witness(WitnessRole::through_view, places.returned_on(result))}};
    if (const NodeId value = places.returned_on(self); value != no_node)
        finding.witnesses.push_back(witness(WitnessRole::matched_alias, value));
    if (const NodeId input = places.input_on(self); input != no_node)
        finding.witnesses.push_back(witness(WitnessRole::input, input));
    return finding;
}

} // namespace inspector
