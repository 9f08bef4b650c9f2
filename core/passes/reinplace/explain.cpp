#include "core/passes/reinplace/explain.h"

#include <algorithm>

#include "core/passes/reinplace/because.h"

namespace inspector {
namespace {

/// "writes into %a and %b, …; %c is cloned, since …".
void describe_operands(SentenceWriter& words, const ReinplaceSession& session, const Decision& decision) {
    bool is_first = true;
    for (const OperandDecision& operand : decision.operands) {
        if (!operand.in_place) continue;
        for (const NodeId value : operand.values) {
            if (!is_first) words << " and ";
            words << value;
            is_first = false;
        }
    }
    words << ", whose old content nobody reads later";
    for (const OperandDecision& operand : decision.operands)
        if (!operand.in_place)
            words << "; " << operand.values.front() << " is cloned, since "
                  << explain_operand(session, decision, operand);
}

} // namespace

Sentence explain(const ReinplaceSession& session, const Decision& decision) {
    SentenceWriter words(session.original());
    const Sentence because = explain_reason(session, decision);
    switch (decision.verdict) {
    case Verdict::pending: words << "not decided yet"; break;
    case Verdict::reinplaced:
        if (decision.reason == Reason::forced)
            words << "forced: " << decision.new_target << " writes into " << decision.operand << ", although "
                  << because;
        else if (!decision.operands.empty()) {
            words << "reinplaced: " << decision.new_target << " writes into ";
            describe_operands(words, session, decision);
        } else
            words << "reinplaced: " << decision.new_target << " writes into " << decision.operand
                  << ", whose old content nobody reads later";
        break;
    case Verdict::scatter_to_copy: {
        const auto& args = session.original().node(decision.node).args;
        const NodeId source = args.size() > 1 ? args[1].node() : no_node;
        words << (decision.reason == Reason::forced ? "forced: " : "copied: ") << source << " is copied into a view of "
              << decision.operand << " instead of into a new tensor";
        if (decision.reason == Reason::forced) words << ", although " << because;
        break;
    }
    case Verdict::deleted:
        if (decision.reason == Reason::writes_the_same || decision.reason == Reason::replaced_by_operand ||
            decision.reason == Reason::fused_scatter || decision.reason == Reason::dead_code)
            words << "deleted: " << because;
        else
            words << "deleted: an earlier rewrite already writes into " << decision.operand
                  << " what this scatter would put there";
        break;
    case Verdict::kept:
        words << (decision.reason == Reason::skipped ? "left out: " : "kept: ") << because;
        break;
    case Verdict::upstream_raises: words << "torch.fx.passes.reinplace stops with an error here: " << because; break;
    }
    return words.take();
}

} // namespace inspector
