#include "core/passes/reinplace/checks/metadata_check.h"

#include "core/analysis/tensor_extent.h"

namespace inspector {
namespace {

Finding answer(Finding::Answer answer, Reason reason) {
    return {.answer = answer, .check = CheckId::metadata, .reason = reason};
}
Finding raises(Reason reason) { return answer(Finding::Answer::raises, reason); }

} // namespace

Finding MetadataCheck::ask(PassState& state, Candidate& candidate) const {
    const auto& facts = state.facts;
    const ValueFacts& result = facts.of(candidate.node);
    const auto& args = state.graph.node(candidate.node).args;
    if (args.empty()) return raises(Reason::self_as_keyword);
    if (result.is_void) return raises(Reason::result_is_void);
    if (candidate.self == no_node) return raises(Reason::self_is_not_a_tensor);
    // Upstream can only lift a constant of the module.
    if (state.reads_constant(candidate.node) && candidate.target.op->name != "aten::lift_fresh_copy")
        return raises(Reason::get_attr_tensor);
    const ValueFacts& operand = facts.of(candidate.self);
    if (result.is_sparse || operand.is_sparse) return raises(Reason::sparse_layout);
    if (result.number) return raises(Reason::result_is_not_a_tensor);
    if (operand.number || operand.is_list || operand.is_void) return raises(Reason::self_is_not_a_tensor);
    if (result.is_copied_view) return raises(Reason::view_op_copied);
    const TensorLayout* self = facts.tensor(candidate.self);
    if (!self) return answer(Finding::Answer::keeps, Reason::metadata_unknown);
    if (result.is_list && result.items.size() != 1) return {.check = CheckId::metadata};
    if (result.items.empty() || !result.items[0]) return answer(Finding::Answer::keeps, Reason::metadata_unknown);

    const TensorLayout& made = *result.items[0];
    Finding finding = answer(Finding::Answer::keeps, Reason::none);
    const auto fails = [&](Reason reason) {
        if (finding.fields.empty()) finding.reason = reason;
        finding.fields.emplace_back(text_id(reason));
    };
    if (self->dtype != made.dtype) fails(Reason::dtype);
    if (probe_self_overlap(*self) == SelfOverlap::yes) fails(Reason::internal_overlap);
    if (element_count(self->sizes) != element_count(made.sizes)) fails(Reason::numel);
    const bool is_resize = candidate.target.op->name == "aten::resize" && candidate.target.op->overload.empty();
    if (finding.fields.empty() || is_resize) return {.check = CheckId::metadata};
    return finding;
}

} // namespace inspector
