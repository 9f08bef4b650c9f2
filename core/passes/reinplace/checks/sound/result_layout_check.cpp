#include "core/passes/reinplace/checks/sound/result_layout_check.h"

#include <algorithm>

#include "core/analysis/symbolic_region.h"
#include "core/analysis/tensor_extent.h"
#include "core/passes/reinplace/in_place_rounding.h"
#include "core/passes/reinplace/moved_layouts.h"

namespace inspector {
namespace {

/// self fills its memory without gaps however the kernels lay it out: it is a whole result, or exactly as large as one.
bool is_dense_by_construction(const PassState& state, NodeId self) {
    const TensorLayout* layout = state.places->layout(self);
    if (!layout || !is_dense(*layout)) return false;
    if (state.places->is_fixed(self) || state.facts.of(self).view_of == no_node) return true;
    const SymbolicLayout* symbolic = state.places->symbolic_layout(self);
    return symbolic && surely_dense(*symbolic, state.places->order());
}

/// Whether the result would start as far into its storage as it does now: for all sizes yes, for all sizes no, or else.
Truth keeps_offset(const PassState& state, const Candidate& candidate) {
    const Placements& places = *state.places;
    const SymbolicLayout *self = places.symbolic_layout(candidate.self), *made = places.symbolic_layout(candidate.node);
    const bool is_same = places.layout(candidate.self)->storage_offset == places.layout(candidate.node)->storage_offset;
    if (self && made) {
        const Truth same = places.order().equal(self->offset, made->offset);
        return same == Truth::always ? same : is_same ? Truth::unknown : Truth::never;
    }
    // Whole results start at 0; so does what lies where one lay.
    return is_same && state.facts.of(candidate.self).view_of == no_node ? Truth::always : Truth::unknown;
}

/// A text that says how long the dimensions are in symbols, and not how far their elements lie apart.
bool lacks_strides(const PassState& state, NodeId node) {
    const auto* meta = std::get_if<TensorMeta>(&state.original.node(node).meta);
    return meta && !meta->strides && !std::ranges::all_of(meta->sizes, &SymbolicSize::is_constant);
}

/// Every tensor operand is contiguous and of the result's sizes, for all sizes.
bool is_vectorised(const PassState& state, NodeId node) {
    const Placements& places = *state.places;
    const TensorLayout* result = places.layout(node);
    return result && std::ranges::all_of(state.original.inputs(node), [&](NodeId operand) {
               const TensorLayout* layout = places.layout(operand);
               return layout && places.is_fixed(operand) && layout->sizes == result->sizes &&
                      has_contiguous_strides(*layout);
           });
}

} // namespace

Finding ResultLayoutCheck::ask(PassState& state, Candidate& candidate) const {
    Finding finding{
        .answer = Finding::Answer::keeps, .check = CheckId::result_layout, .reason = Reason::layout_would_change};
    finding.witnesses = {{WitnessRole::self, candidate.self, state.time(candidate.self)}};
    if (!candidate.target.inplace && !candidate.target.inverse_view) return {.check = CheckId::result_layout};
    const Placements& places = *state.places;
    const TensorLayout& self = *places.layout(candidate.self);

    const bool is_certain = places.is_fixed(candidate.self) && places.is_fixed(candidate.node);
    // TensorIterator lays its result out by its first operand; a scatter starts as a copy of its base.
    const bool follows_self = (candidate.target.op->has_tag("pointwise") || candidate.target.inverse_view) &&
                              is_dense_by_construction(state, candidate.self) &&
                              places.same_layout_for_all_sizes(candidate.self, candidate.node);
    const bool is_certain_for_all_sizes = places.symbolic_layout(candidate.self) &&
                                          places.symbolic_layout(candidate.node) &&
                                          places.same_layout_for_all_sizes(candidate.self, candidate.node);
    if (!is_certain &&
        ((!follows_self && !is_certain_for_all_sizes) || keeps_offset(state, candidate) == Truth::unknown)) {
        finding.fields = {lacks_strides(state, candidate.self) || lacks_strides(state, candidate.node)
                              ? "the layout that the kernels give it is not certain for all sizes, as the text has no strides "
                                "(print_readable(include_stride=True) writes them)"
                              : "the layout that the kernels give it is not certain"};
        return finding;
    }
    const UnitStrides& unit_strides = places.unit_strides();
    if (unit_strides.is_shown(candidate.node) &&
        !(unit_strides.is_known(candidate.node) && unit_strides.is_known(candidate.self))) {
        finding.fields = {"an output shows its strides of dimensions of size 1, and those that the kernels set are not certain"};
        return finding;
    }
    if (const auto why = why_rounds_otherwise(*candidate.target.op, state.original.node(candidate.node), self.dtype,
                                              [&] { return is_vectorised(state, candidate.node); });
        !why.empty() && candidate.target.inplace) {
        finding.fields = {std::string(why)};
        return finding;
    }
    MovedLayouts moved = move_result(state, candidate.node, self);
    if (!moved.why.empty()) {
        finding.fields = {moved.why};
        finding.witnesses.push_back({WitnessRole::later_use, moved.obstacle, state.time(moved.obstacle)});
        return finding;
    }
    candidate.moved = std::move(moved.values);
    return {.check = CheckId::result_layout};
}

} // namespace inspector
