#include "core/passes/reinplace/proposals/no_proposal.h"

#include "core/passes/reinplace/because.h"
#include "core/passes/reinplace/policy.h"
#include "core/passes/reinplace/proposals/refusal.h"

namespace inspector {

Sentence why_no_proposal(const ReinplaceSession& session, std::uint32_t index) {
    SentenceWriter words(session.original());
    const Decision& decision = session.decisions()[index];
    if (decision.verdict != Verdict::kept) {
        words << (decision.verdict == Verdict::upstream_raises ? "that pass stops here whatever the program"
                                                               : "nothing was refused");
        return words.take();
    }
    if (decision.reason == Reason::skipped) {
        words << "the policy would reinplace it as it is";
        return words.take();
    }
    if (!find_policy(session.options().policy)->follows_placements) {
        words << "changes are tried out for the policy sound only";
        return words.take();
    }
    const TensorLayout* self = decision.operand == no_node ? nullptr : session.facts().tensor(decision.operand);
    const TensorLayout* result = session.facts().tensor(decision.node);
    if (decision.check == CheckId::metadata && self && result && self->dtype != result->dtype) {
        words << "no form of " << decision.target << " writes " << short_name(result->dtype)
              << " into memory that holds " << short_name(self->dtype);
    } else if (!is_refusal(session, index)) {
        words << "no change of the program gives " << decision.target << " a form that writes into its first argument";
    } else if (!self || !result) {
        words << explain_reason(session, decision);
    } else if (self->sizes != result->sizes) {
        words << "with " << decision.operand << " expanded to the sizes of the result, the kernel may round otherwise";
    } else if (decision.check == CheckId::metadata) {
        words << "no copy of " << decision.operand << " has the layout of the result";
    } else {
        words << "a copy of " << decision.operand
              << " would lie otherwise than it does, which may change bits or strides";
    }
    return words.take();
}

} // namespace inspector
