#include "core/passes/reinplace/checks/input_alias_check.h"

namespace inspector {

Finding InputAliasCheck::ask(PassState& state, Candidate& candidate) const {
    Finding finding{.check = CheckId::input_alias};
    if (state.is_input(state.storage(candidate.self))) {
        finding.answer = Finding::Answer::keeps;
        finding.reason = Reason::storage_of_input;
    }
    return finding;
}

} // namespace inspector
