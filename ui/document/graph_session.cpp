#include "ui/document/graph_session.h"

namespace inspector {

SessionWork SessionWork::of(const ReinplaceSession& session) {
    SessionWork work{{}, session.options().choices};
    for (const Decision& decision : session.decisions())
        if (is_rewritten(decision)) work.rewrites.emplace_back(decision.index, decision.verdict);
    return work;
}

bool GraphSession::hasWork() const {
    const auto& options = session->options();
    return session->position() > 0 || session->checks_asked() > 0 || !options.choices.empty() || !options.donated.empty();
}

SavedPlace SavedPlace::of(const ReinplaceSession& session) {
    return {session.options().policy, session.options().donated, SessionPlace::of(session, no_node)};
}

bool SavedPlace::isSameState(const SavedPlace& other) const {
    return policy == other.policy && donated == other.donated && place.isSameState(other.place);
}

} // namespace inspector
