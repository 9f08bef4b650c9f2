#include "core/passes/reinplace/explain.h"

#include <algorithm>

#include "core/passes/reinplace/because.h"

namespace inspector {

Sentence explain(const ReinplaceSession& session, const Decision& decision) {
    SentenceWriter words(session.original());
    const Sentence because = explain_reason(session, decision);
    switch (decision.verdict) {
    case Verdict::pending: words << "not decided yet"; break;
    case Verdict::reinplaced:
        if (decision.reason == Reason::forced)
            words << "forced: " << decision.new_target << " writes into " << decision.operand << ", although "
                  << because;
        else
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
        if (decision.reason == Reason::writes_the_same) words << "deleted: " << because;
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
