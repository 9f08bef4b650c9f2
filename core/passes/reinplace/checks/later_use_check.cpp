#include "core/passes/reinplace/checks/later_use_check.h"

#include <algorithm>

namespace inspector {
namespace {

Finding blocked(AliasSets::LaterUse use) {
    return {.answer = Finding::Answer::keeps, .check = CheckId::later_use, .reason = Reason::used_later,
            .blocked_by = use};
}

} // namespace

Finding LaterUseCheck::ask(PassState& state, Candidate& candidate) const {
    const StorageId storage = state.storage(candidate.self);
    candidate.superfluous.clear();
    // Constants of the module are on no set that could be read later.
    const AliasSets::LaterUse use = state.sets.blocking_use(storage, candidate.now);
    if (use.user != no_node) return blocked(use);
    const AliasSets::State set = state.sets.state(storage);
    std::vector<NodeId> scatters = state.sets.later_scatters(storage, candidate.now);
    for (const NodeId scatter : scatters)
        if (state.matched_view(scatter, set, candidate.now) == no_node)
            return blocked({scatter, state.first_argument_at(scatter, candidate.now)});
    candidate.superfluous = std::move(scatters);
    return {.check = CheckId::later_use};
}

std::vector<NodeId> LaterUseCheck::matching_scatters(PassState& state, const Candidate& candidate) {
    const StorageId storage = state.storage(candidate.self);
    const AliasSets::State set = state.sets.state(storage);
    std::vector<NodeId> scatters = state.sets.later_scatters(storage, candidate.now);
    std::erase_if(scatters, [&](NodeId s) { return state.matched_view(s, set, candidate.now) == no_node; });
    return scatters;
}

} // namespace inspector
