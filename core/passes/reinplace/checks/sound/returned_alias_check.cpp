#include "core/passes/reinplace/checks/sound/returned_alias_check.h"

namespace inspector {

Finding ReturnedAliasCheck::ask(PassState& state, Candidate& candidate) const {
    const Placements& places = *state.places;
    const StorageId self = state.storage(candidate.self), result = state.storage(candidate.node);
    const bool joins = places.home(self) != places.home(result);
    if (!joins || !places.is_returned(result) || !(places.is_returned(self) || places.is_input(self)))
        return {.check = CheckId::output_alias};
    return {.answer = Finding::Answer::keeps, .check = CheckId::output_alias, .reason = Reason::returned_alias,
            .witnesses = {{WitnessRole::self, candidate.self, state.time(candidate.self)},
                          {WitnessRole::later_use, state.original.output(), state.time(state.original.output())}}};
}

} // namespace inspector
