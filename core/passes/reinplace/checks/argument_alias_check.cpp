#include "core/passes/reinplace/checks/argument_alias_check.h"

#include <algorithm>

namespace inspector {

Finding ArgumentAliasCheck::ask(PassState& state, Candidate& candidate) const {
    Finding finding{.check = CheckId::argument_alias};
    const auto& args = state.graph.node(candidate.node).args;
    if (std::ranges::count_if(args, [&](const Argument& arg) { return arg.node() == candidate.self; }) > 1) {
        finding.answer = Finding::Answer::keeps;
        finding.reason = Reason::self_repeated;
    }
    return finding;
}

} // namespace inspector
