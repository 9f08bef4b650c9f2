#include "core/passes/reinplace/checks/inplace_variant_check.h"

namespace inspector {

Finding InplaceVariantCheck::ask(PassState& state, Candidate& candidate) const {
    const Target& target = candidate.target;
    Finding finding{.answer = Finding::Answer::in_place, .check = CheckId::inplace_variant};
    if (target.inplace) {
        finding.reason = Reason::has_inplace_variant;
        return finding;
    }
    finding.check = CheckId::no_inplace_variant;
    finding.answer = target.inplace_search_raises ? Finding::Answer::raises : Finding::Answer::keeps;
    finding.reason = target.inplace_search_raises      ? Reason::writes_several_arguments
                     : state.is_doomed(candidate.node) ? Reason::doomed_scatter
                                                       : target.no_inplace;
    return finding;
}

} // namespace inspector
