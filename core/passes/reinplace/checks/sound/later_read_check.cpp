#include "core/passes/reinplace/checks/sound/later_read_check.h"

#include <algorithm>

#include "core/analysis/tensor_extent.h"
#include "core/passes/reinplace/condition_collector.h"
#include "core/passes/reinplace/written_region.h"

namespace inspector {
namespace {

/// `reader` is a scatter into `value` that replaces at least everything written.
bool replaces_what_is_written(const PassState& state, NodeId reader, NodeId value, const Placements::Area& written) {
    const Node& node = state.original.node(reader);
    const TensorLayout* base = state.places->layout(value);
    if (!state.target(reader).inverse_view || node.args.empty() || node.args[0].node() != value || !base) return false;
    for (std::size_t i = 1; i < node.args.size(); ++i)
        if (node.args[i].node() == value) return false;
    if (!written.is_fixed || !state.places->is_fixed(value)) {
        const auto replaced = symbolic_scatter_region(state, reader, value);
        const SizeOrder& order = state.places->order();
        const SymbolicLayout* symbolic_base = state.places->symbolic_layout(value);
        return replaced && written.symbolic && has_own_cells(*symbolic_base, order).truth == Truth::always &&
               surely_same_place(*written.symbolic, *replaced, order);
    }
    // Where the base repeats its cells (expand), what is read outside the region may be the memory inside it.
    if (overlaps_itself(base->sizes, base->strides) != Overlap::no) return false;
    const auto replaced = scatter_region(state, reader, *base);
    const auto inner = region_of(written.layout), outer = replaced ? region_of(*replaced) : std::nullopt;
    return inner && outer && surely_inside(*inner, *outer);
}

constexpr std::size_t witness_limit = 16;

/// `written`: nullptr where nothing is written now.
Finding conflicts(const PassState& state, const Candidate& candidate, const Placements::Area* written) {
    const Placements& places = *state.places;
    const StorageId storage = state.storage(candidate.self);
    const auto overwrite = places.is_input(storage) ? places.next_overwrite(storage, candidate.now) : std::nullopt;
    // The copy_ itself reads its source, but not the input it overwrites; later reads of the input see the new value.
    const auto comes_too_late = [&](NodeId value, const Placements::Read& read) {
        return overwrite && (read.time > overwrite->time ||
                             (read.reader == overwrite->by && read.writes && value != overwrite->source));
    };
    // Where the result will lie: what is written there later, through either, reaches the other.
    std::optional<Placements::Area> place;
    const auto apart_from_place = [&](NodeId value) {
        if (!place) place = places.area(candidate.self);
        return place ? places.apart(value, *place) : SizeAnswer{};
    };
    // Kernels refuse one tensor for what they write and for another operand, even if it has no elements.
    const TensorLayout* self = places.layout(candidate.self);
    const bool is_empty = self && element_count(self->sizes) == 0;
    const auto takes_result = [&](NodeId reader) {
        return std::ranges::any_of(state.original.inputs(reader), [&](NodeId input) {
            const auto& storages = state.facts.storages(input);
            return std::ranges::find(storages, state.storage(candidate.node)) != storages.end();
        });
    };
    const bool result_is_written = places.writer_on(state.storage(candidate.node)) != no_node;

    Finding finding{.answer = Finding::Answer::keeps, .check = CheckId::later_use, .reason = Reason::used_later};
    ConditionCollector condition(places.order(), "what is read later and what is written share memory");
    places.for_each_read_after(storage, candidate.now, [&](NodeId value) {
        const SizeAnswer apart = written ? places.apart(value, *written) : SizeAnswer{Truth::always, {}, true};
        const bool meets_written = apart.truth != Truth::always;
        for (const Placements::Read& read : places.reads(value)) {
            if (read.time <= candidate.now || comes_too_late(value, read)) continue;
            bool conflicts = meets_written && !replaces_what_is_written(state, read.reader, value, *written);
            SizeAnswer reason = apart;
            if (!conflicts && (read.writes || result_is_written)) {
                reason = apart_from_place(value);
                conflicts = reason.truth != Truth::always;
            }
            conflicts |= is_empty && read.writes && takes_result(read.reader);
            if (!conflicts) continue;
            condition.need(reason);
            finding.witnesses.push_back({WitnessRole::later_use, read.reader, read.time});
            if (value != candidate.self)
                finding.witnesses.push_back({WitnessRole::through_view, value, state.time(value)});
            if (finding.witnesses.size() >= witness_limit) {
                condition.need({}); // there may be more
                return false;
            }
        }
        return true;
    });
    if (finding.witnesses.empty()) return {.check = CheckId::later_use};
    for (const Witness& witness : finding.witnesses)
        if (witness.role == WitnessRole::later_use) finding.fields.push_back(state.original.node(witness.node).name);
    std::ranges::sort(finding.fields);
    const auto repeated = std::ranges::unique(finding.fields);
    finding.fields.erase(repeated.begin(), repeated.end());
    finding.condition = condition.take();
    return finding;
}

} // namespace

Finding LaterReadCheck::ask(PassState& state, Candidate& candidate) const {
    const auto written = written_region(state, candidate);
    if (written) return conflicts(state, candidate, &*written);
    // Where the region is not known, all of self counts.
    const TensorLayout* self = state.places->layout(candidate.self);
    const Placements::Area whole{self ? *self : TensorLayout{}, false};
    return conflicts(state, candidate, &whole);
}

Finding LaterReadCheck::ask_for_sharing(const PassState& state, const Candidate& candidate) {
    return conflicts(state, candidate, nullptr);
}

} // namespace inspector
