#include "core/passes/reinplace/checks/sound/own_memory_check.h"

#include <algorithm>
#include <limits>

#include "core/passes/reinplace/moved_layouts.h"

namespace inspector {
namespace {

AliasSets::Time last_read(const PassState& state, StorageId storage) {
    AliasSets::Time last = 0;
    for (const NodeId value : state.places->values_on(storage))
        for (const Placements::Read& read : state.places->reads(value)) last = std::max(last, read.time);
    return last;
}

/// The result, or a view of it, is what the input becomes, and lies there exactly: else copying it would read what it
/// writes.
bool becomes_input(const PassState& state, const Candidate& candidate, const Placements::Overwrite& overwrite) {
    const Placements& places = *state.places;
    const TensorLayout* self = places.layout(candidate.self);
    const TensorLayout* input = places.layout(places.input_on(state.storage(candidate.self)));
    if (!self || !input) return false;
    const NodeId input_node = places.input_on(state.storage(candidate.self));
    const bool has_symbols = state.facts.is_symbolic() && candidate.self != input_node;
    if (overwrite.source == candidate.node)
        return is_same_place(*self, *input) && (!has_symbols || places.surely_same_place(candidate.self, input_node));
    if (overwrite.source == no_node || state.storage(overwrite.source) != state.storage(candidate.node)) return false;
    const MovedLayouts moved = move_result(state, candidate.node, *self);
    const auto source = std::ranges::find(moved.values, overwrite.source, &Placements::Moved::value);
    if (!moved.why.empty() || source == moved.values.end() || !is_same_place(source->layout, *input)) return false;
    if (!state.facts.is_symbolic() || (places.is_fixed(overwrite.source) && places.is_fixed(input_node))) return true;
    const SymbolicLayout* whole = places.symbolic_layout(input_node);
    return whole && source->symbolic && surely_same_place(*source->symbolic, *whole, places.order());
}

} // namespace

NodeId OwnMemoryCheck::obstacle_to_one_tensor(const PassState& state, const Candidate& candidate) {
    const Placements& places = *state.places;
    const StorageId own = state.storage(candidate.node);
    // One name of a tensor is not another's when its layout changes: self may still be asked for its sizes.
    for (const StorageId storage : {state.storage(candidate.self), own})
        if (const NodeId by = places.changed_by(storage); by != no_node) return by;
    return state.facts.of(candidate.self).view_of != no_node ? places.detached_by(own) : no_node;
}

NodeId OwnMemoryCheck::overwriter_of_result(const PassState& state, const Candidate& candidate) {
    const Placements& places = *state.places;
    const StorageId storage = state.storage(candidate.self), own = state.storage(candidate.node);
    const auto overwrite = places.next_overwrite(storage, candidate.now);
    if (!overwrite) {
        // Nobody else's memory may be written through the result.
        if (places.input_on(storage) == no_node && !places.is_foreign(storage)) return no_node;
        return places.writer_on(own);
    }
    const AliasSets::Time last = last_read(state, own);
    if (!becomes_input(state, candidate, *overwrite)) return last >= overwrite->time ? overwrite->by : no_node;
    // From the copy on, input and result are two: what is written into one must not reach the other.
    NodeId writer = no_node;
    const auto look_at = [&](NodeId value, AliasSets::Time until) {
        for (const Placements::Read& read : places.reads(value))
            if (read.writes && read.time > overwrite->time && read.time <= until) writer = read.reader;
        return writer == no_node;
    };
    places.for_each_read_after(storage, overwrite->time, [&](NodeId value) { return look_at(value, last); });
    for (const NodeId value : places.values_on(own)) look_at(value, std::numeric_limits<AliasSets::Time>::max());
    return writer;
}

Finding OwnMemoryCheck::ask(PassState& state, Candidate& candidate) const {
    const Placements& places = *state.places;
    const StorageId storage = state.storage(candidate.self);
    Finding finding{.answer = Finding::Answer::keeps, .check = CheckId::input_alias, .reason = Reason::foreign_storage};
    finding.witnesses = {{WitnessRole::self, candidate.self, state.time(candidate.self)}};
    NodeId obstacle = obstacle_to_one_tensor(state, candidate);
    if (obstacle == no_node) obstacle = places.exposed_by(storage, candidate.now);
    if (obstacle != no_node) {
        finding.witnesses.push_back({WitnessRole::later_use, obstacle, state.time(obstacle)});
        return finding;
    }
    if (storage == 0 || places.is_foreign(storage)) return finding;
    const NodeId input = places.input_on(storage);
    if (input == no_node) return {.check = CheckId::input_alias};

    finding.witnesses.push_back({WitnessRole::input, input, state.time(input)});
    finding.reason = Reason::storage_of_input;
    if (!places.next_overwrite(storage, candidate.now)) return finding;
    if (const NodeId writer = overwriter_of_result(state, candidate); writer != no_node) {
        finding.reason = Reason::read_between;
        finding.witnesses.push_back({WitnessRole::later_use, writer, state.time(writer)});
        return finding;
    }
    return {.check = CheckId::input_alias};
}

} // namespace inspector
