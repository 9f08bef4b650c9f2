#include "core/passes/reinplace/checks/operator_check.h"

namespace inspector {
namespace {

Finding kept(CheckId check, Reason reason) {
    return {.answer = Finding::Answer::keeps, .check = check, .reason = reason};
}

Reason why_not_a_tensor(std::string_view type) {
    if (type.ends_with("[]")) return Reason::first_argument_is_list;
    if (type == "Tensor?") return Reason::first_argument_is_optional;
    return Reason::first_argument_not_a_tensor_type;
}

} // namespace

Finding OperatorCheck::ask(PassState& state, Candidate& candidate) const {
    const Target& target = candidate.target;
    if (!target.is_overload) {
        const bool higher_order = state.original.node(candidate.node).target.starts_with("torch.ops.higher_order.");
        if (higher_order && target.short_name == "while_loop")
            return {.answer = Finding::Answer::raises,
                    .check = CheckId::not_an_operator,
                    .reason = Reason::needs_symbolic_shapes};
        return kept(CheckId::not_an_operator, higher_order ? Reason::higher_order_op : Reason::not_an_overload);
    }
    const bool has_blocks = target.short_name == "prim.If" || target.short_name == "prim.Loop"; // TorchScript's
    if (!target.op && has_blocks) return kept(CheckId::not_an_operator, Reason::higher_order_op);
    if (!target.op) return kept(CheckId::not_an_operator, Reason::unknown_operator);
    if (target.op->arguments.empty()) return kept(CheckId::no_arguments, Reason::schema_without_arguments);
    const std::string& type = target.op->arguments[0].type;
    if (type != "Tensor") return kept(CheckId::first_argument_not_tensor, why_not_a_tensor(type));
    return {.check = CheckId::first_argument_not_tensor};
}

} // namespace inspector
