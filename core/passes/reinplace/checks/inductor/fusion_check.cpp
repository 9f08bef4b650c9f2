#include "core/passes/reinplace/checks/inductor/fusion_check.h"

#include <algorithm>

namespace inspector {
Finding FusionCheck::ask(PassState& state, Candidate& candidate) const {
    const InductorGraph& known = *state.inductor;
    const Finding passes{.check = CheckId::fusion};
    if (candidate.writer->kind != Writer::Kind::scatter) return passes;
    const InductorGraph::ScatterGroup& group = *known.group_of(candidate.node);
    const auto always_writes = [&](NodeId scatter) {
        const std::string view = state.target(scatter).inverse_view->short_target();
        return view == "aten.diagonal.default" || view == "aten.as_strided.default";
    };
    if (std::ranges::any_of(group.members, always_writes)) return passes;
    if (known.is_realized(group.base) && known.is_realized(group.result())) return passes;
    const auto copies_back = [&](NodeId user) {
        return state.target(user).short_name == "aten.copy_.default" &&
               state.original.node(user).args[0].node() == group.base;
    };
    if (known.is_input(group.base) && std::ranges::any_of(known.users(group.result()), copies_back)) return passes;
    const NodeId fused = known.is_realized(group.base) ? group.result() : group.base;
    return {.answer = Finding::Answer::keeps,
            .check = CheckId::fusion,
            .reason = Reason::fusion_preferred,
            .witnesses = {{WitnessRole::scatter_base, group.base, state.time(group.base)},
                          {WitnessRole::operand, fused, state.time(fused)}}};
}

} // namespace inspector
