#include "core/passes/reinplace/checks/sound/later_read_check.h"

#include <algorithm>

#include "core/passes/reinplace/written_region.h"

namespace inspector {
namespace {

std::optional<Region> region_of(const TensorLayout& layout) {
    const std::int64_t size = element_size(layout.dtype);
    if (!Region::is_representable(layout.storage_offset, layout.sizes, layout.strides, size)) return std::nullopt;
    return Region::of_view(layout.storage_offset, layout.sizes, layout.strides, size);
}

/// `reader` is a scatter into `value` that replaces at least everything written.
bool replaces_what_is_written(const PassState& state, NodeId reader, NodeId value, const WrittenRegion& written) {
    const Node& node = state.original.node(reader);
    const TensorLayout* base = state.places->layout(value);
    if (!state.target(reader).inverse_view || node.args.empty() || node.args[0].node() != value || !base) return false;
    for (std::size_t i = 1; i < node.args.size(); ++i)
        if (node.args[i].node() == value) return false;
    if (!written.is_fixed || !state.places->is_fixed(value)) return false;
    const auto replaced = scatter_region(state, reader, *base);
    const auto inner = region_of(written.layout), outer = replaced ? region_of(*replaced) : std::nullopt;
    return inner && outer && surely_inside(*inner, *outer);
}

constexpr std::size_t witness_limit = 16;

} // namespace

Finding LaterReadCheck::ask(PassState& state, Candidate& candidate) const {
    const Placements& places = *state.places;
    const auto written = written_region(state, candidate);
    const StorageId storage = state.storage(candidate.self);
    AliasSets::Time until = UINT32_MAX;
    if (places.is_input(storage))
        if (const auto overwrite = places.next_overwrite(storage, candidate.now)) until = overwrite->time;

    Finding finding{.answer = Finding::Answer::keeps, .check = CheckId::later_use, .reason = Reason::used_later};
    places.for_each_read_after(storage, candidate.now, [&](NodeId value) {
        if (written && !places.may_overlap(value, written->layout, written->is_fixed)) return true;
        for (const Placements::Read& read : places.reads(value)) {
            if (read.time <= candidate.now || read.time >= until) continue;
            if (written && replaces_what_is_written(state, read.reader, value, *written)) continue;
            finding.witnesses.push_back({WitnessRole::later_use, read.reader, read.time});
            if (value != candidate.self) finding.witnesses.push_back({WitnessRole::through_view, value, state.time(value)});
            if (finding.witnesses.size() >= witness_limit) return false;
        }
        return true;
    });
    if (finding.witnesses.empty()) return {.check = CheckId::later_use};
    for (const Witness& witness : finding.witnesses)
        if (witness.role == WitnessRole::later_use) finding.fields.push_back(state.original.node(witness.node).name);
    std::ranges::sort(finding.fields);
    const auto repeated = std::ranges::unique(finding.fields);
    finding.fields.erase(repeated.begin(), repeated.end());
    return finding;
}

} // namespace inspector
