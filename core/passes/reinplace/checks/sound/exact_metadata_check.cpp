#include "core/passes/reinplace/checks/sound/exact_metadata_check.h"

#include <algorithm>

#include "core/analysis/region.h"
#include "core/analysis/tensor_extent.h"
#include "core/passes/reinplace/condition_collector.h"

namespace inspector {
namespace {

Finding keeps(Reason reason) {
    return {.answer = Finding::Answer::keeps, .check = CheckId::metadata, .reason = reason};
}

/// never where the file gives no sizes.
SizeAnswer same_sizes(const PassState& state, NodeId a, NodeId b) {
    const auto* x = std::get_if<TensorMeta>(&state.original.node(a).meta);
    const auto* y = std::get_if<TensorMeta>(&state.original.node(b).meta);
    return x && y ? have_same_sizes(x->sizes, y->sizes, state.places->order()) : SizeAnswer{};
}

/// For all sizes where there are symbols.
SizeAnswer own_cells(const PassState& state, NodeId node, const TensorLayout& layout) {
    const bool is_own = overlaps_itself(layout.sizes, layout.strides) == Overlap::no;
    if (state.places->is_fixed(node)) return {is_own ? Truth::always : Truth::never, {}, true};
    if (const SymbolicLayout* symbolic = state.places->symbolic_layout(node)) {
        const SizeAnswer answer = has_own_cells(*symbolic, state.places->order());
        if (answer.truth != Truth::unknown) return answer;
    }
    if (!is_own) return {Truth::never, {}, false};
    return {state.places->may_repeat_cells(node) ? Truth::unknown : Truth::always, {}, false};
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
        if (const auto* meta = std::get_if<TensorMeta>(&state.original.node(node).meta);
            meta && meta->layout != Layout::strided)
            return keeps(Reason::sparse_layout);

    Finding finding = keeps(Reason::none);
    const auto fails = [&](Reason reason) {
        if (finding.fields.empty()) finding.reason = reason;
        finding.fields.emplace_back(text_id(reason));
    };
    if (self->dtype != made->dtype) fails(Reason::dtype);
    const SizeAnswer sizes = state.facts.is_symbolic()
                                 ? same_sizes(state, candidate.self, candidate.node)
                                 : SizeAnswer{self->sizes == made->sizes ? Truth::always : Truth::never, {}, true};
    ConditionCollector condition(state.places->order(), "the sizes of the result and of self differ");
    if (sizes.truth != Truth::always) {
        const bool differs_in_number = element_count(self->sizes) != element_count(made->sizes);
        fails(differs_in_number ? Reason::numel : Reason::sizes);
        condition.need(sizes);
    }
    if (self->device != made->device) fails(Reason::device);
    if (self->conjugated || self->negated || made->conjugated || made->negated) fails(Reason::lazy_bits);
    if (const SizeAnswer own = own_cells(state, candidate.self, *self); own.truth != Truth::always) {
        if (finding.fields.empty())
            condition = ConditionCollector(state.places->order(), "elements of self share cells");
        fails(Reason::internal_overlap);
        condition.need(own);
    }
    if (finding.fields.empty()) return {.check = CheckId::metadata};
    const bool only_sizes = std::ranges::all_of(finding.fields, [](const std::string& field) {
        return field == text_id(Reason::numel) || field == text_id(Reason::sizes) ||
               field == text_id(Reason::internal_overlap);
    });
    if (only_sizes && state.facts.is_symbolic()) finding.condition = condition.take();
    return finding;
}

} // namespace inspector
