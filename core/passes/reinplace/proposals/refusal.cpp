#include "core/passes/reinplace/proposals/refusal.h"

#include "core/operators/operator_table.h"
#include "core/passes/reinplace/target.h"

namespace inspector {

bool is_refusal(const ReinplaceSession& session, std::uint32_t index) {
    const Decision& decision = session.decisions()[index];
    if (decision.verdict != Verdict::kept) return false;
    switch (decision.check) {
    case CheckId::metadata:
    case CheckId::input_alias:
    case CheckId::argument_alias:
    case CheckId::later_use:
    case CheckId::output_alias:
    case CheckId::result_layout: break;
    default: return false;
    }
    Targets targets;
    const Node& node = session.original().node(decision.node);
    const Target& target = targets.of(node);
    if (!target.inplace && !(target.inverse_view && node.args.size() >= 2)) return false;
    const TensorLayout* self = decision.operand == no_node ? nullptr : session.facts().tensor(decision.operand);
    const TensorLayout* result = session.facts().tensor(decision.node);
    return !self || !result || computes_in_result_type(session, decision.node, self->dtype, result->dtype);
}

bool computes_in_result_type(const ReinplaceSession& session, NodeId node, DType self, DType result) {
    if (self == result) return true;
    const Operator* op = OperatorTable::instance().find(session.original().node(node).target);
    if (!op || result == DType::b8) return false;              // comparisons compare in the operands' type
    if (is_complex(self) && !is_complex(result)) return false; // abs of a complex number is a float
    return op->has_tag("pointwise") || op->name == "aten::cumsum" || op->name == "aten::cumprod";
}

} // namespace inspector
