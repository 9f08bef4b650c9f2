#include "core/passes/reinplace/checks/scatter_check.h"

namespace inspector {

Finding ScatterCheck::ask(PassState& state, Candidate& candidate) const {
    Finding finding{.check = CheckId::scatter};
    if (!candidate.target.inverse_view || state.is_doomed(candidate.node)) return finding;
    // Upstream takes the source by position.
    const bool has_source = state.graph.node(candidate.node).args.size() >= 2;
    finding.answer = has_source ? Finding::Answer::scatter_copy : Finding::Answer::raises;
    finding.reason = has_source ? Reason::scatter_matched : Reason::self_as_keyword;
    return finding;
}

} // namespace inspector
