#include "core/passes/reinplace/checks/sound/own_memory_check.h"

#include <algorithm>

namespace inspector {
namespace {

AliasSets::Time last_read(const PassState& state, StorageId storage) {
    AliasSets::Time last = 0;
    for (const NodeId value : state.places->values_on(storage))
        for (const Placements::Read& read : state.places->reads(value)) last = std::max(last, read.time);
    return last;
}

} // namespace

bool OwnMemoryCheck::is_needed_after_overwrite(const PassState& state, const Candidate& candidate) {
    const Placements& places = *state.places;
    const StorageId storage = state.storage(candidate.self);
    const auto overwrite = places.is_input(storage) ? places.next_overwrite(storage, candidate.now) : std::nullopt;
    if (!overwrite) return false;
    // The result is what the input becomes: then it must lie there exactly, or copying it would read what it writes.
    const TensorLayout *self = places.layout(candidate.self), *whole = places.layout(places.input_on(storage));
    const bool becomes_input = overwrite->source == candidate.node && self && whole && is_same_place(*self, *whole);
    return !becomes_input && last_read(state, state.storage(candidate.node)) >= overwrite->time;
}

Finding OwnMemoryCheck::ask(PassState& state, Candidate& candidate) const {
    const Placements& places = *state.places;
    const StorageId storage = state.storage(candidate.self);
    Finding finding{.answer = Finding::Answer::keeps, .check = CheckId::input_alias, .reason = Reason::foreign_storage};
    finding.witnesses = {{WitnessRole::self, candidate.self, state.time(candidate.self)}};
    if (storage == 0 || places.is_foreign(storage)) return finding;
    const NodeId input = places.input_on(storage);
    if (input == no_node) return {.check = CheckId::input_alias};

    finding.witnesses.push_back({WitnessRole::input, input, state.time(input)});
    finding.reason = Reason::storage_of_input;
    const auto overwrite = places.next_overwrite(storage, candidate.now);
    if (!overwrite) return finding;
    if (is_needed_after_overwrite(state, candidate)) {
        finding.reason = Reason::read_between;
        finding.witnesses.push_back({WitnessRole::later_use, overwrite->by, state.time(overwrite->by)});
        return finding;
    }
    return {.check = CheckId::input_alias};
}

} // namespace inspector
