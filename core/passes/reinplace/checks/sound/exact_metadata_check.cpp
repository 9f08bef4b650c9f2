#include "core/passes/reinplace/checks/sound/exact_metadata_check.h"

#include "core/analysis/region.h"
#include "core/analysis/tensor_extent.h"

namespace inspector {
namespace {

Finding keeps(Reason reason) { return {.answer = Finding::Answer::keeps, .check = CheckId::metadata, .reason = reason}; }

/// Views whose cells may coincide, whatever their sizes are at the sample.
bool may_repeat_cells(const PassState& state, NodeId node) {
    for (NodeId view = node; view != no_node; view = state.facts.of(view).view_of) {
        const Operator* op = state.target(view).op;
        if (op && (op->name == "aten::expand" || op->name == "aten::as_strided" || op->name == "aten::unfold" || op->name == "aten::expand_as"))
            return true;
    }
    return false;
}

bool same_sizes_for_all_symbols(const PassState& state, NodeId a, NodeId b) {
    const auto* x = std::get_if<TensorMeta>(&state.original.node(a).meta);
    const auto* y = std::get_if<TensorMeta>(&state.original.node(b).meta);
    return x && y && x->sizes == y->sizes;
}

} // namespace

Finding ExactMetadataCheck::ask(PassState& state, Candidate& candidate) const {
    const ValueFacts& facts = state.facts.of(candidate.node);
    if (facts.is_void) return keeps(Reason::result_is_void);
    if (facts.number) return keeps(Reason::result_is_not_a_tensor);
    if (candidate.self == no_node) return keeps(Reason::self_is_not_a_tensor);
    const TensorLayout* self = state.places->layout(candidate.self);
    const TensorLayout* made = state.facts.tensor(candidate.node);
    if (!self && state.facts.is_known(candidate.self)) return keeps(Reason::self_is_not_a_tensor);
    if (!made && state.facts.is_known(candidate.node)) return keeps(Reason::leaf_count);
    if (!self || !made) return keeps(Reason::metadata_unknown);
    for (const NodeId node : {candidate.self, candidate.node})
        if (const auto* meta = std::get_if<TensorMeta>(&state.original.node(node).meta); meta && meta->layout != Layout::strided)
            return keeps(Reason::sparse_layout);

    Finding finding = keeps(Reason::none);
    const auto fails = [&](Reason reason) {
        if (finding.fields.empty()) finding.reason = reason;
        finding.fields.emplace_back(text_id(reason));
    };
    if (self->dtype != made->dtype) fails(Reason::dtype);
    if (element_count(self->sizes) != element_count(made->sizes)) fails(Reason::numel);
    else if (self->sizes != made->sizes) fails(Reason::sizes);
    else if (state.facts.is_symbolic() && !same_sizes_for_all_symbols(state, candidate.self, candidate.node)) fails(Reason::sizes);
    if (self->device != made->device) fails(Reason::device);
    if (self->conjugated || self->negated || made->conjugated || made->negated) fails(Reason::lazy_bits);
    if (overlaps_itself(self->sizes, self->strides) != Overlap::no ||
        (!state.places->is_fixed(candidate.self) && may_repeat_cells(state, candidate.self)))
        fails(Reason::internal_overlap);
    if (finding.fields.empty()) return {.check = CheckId::metadata};
    return finding;
}

} // namespace inspector
