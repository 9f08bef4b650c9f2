#include "ui/document/graph_session.h"

#include <algorithm>

namespace inspector {

SessionWork SessionWork::of(const ReinplaceSession& session) {
    SessionWork work{{}, session.options().choices};
    for (const Decision& decision : session.decisions())
        if (is_rewritten(decision)) work.rewrites.emplace_back(decision.index, decision.verdict);
    return work;
}

bool GraphSession::hasWork() const {
    const auto& options = session->options();
    return session->position() > 0 || session->checks_asked() > 0 || !options.choices.empty() || !options.donated.empty() ||
           !ranges.empty();
}

bool isSame(const std::vector<SymbolRange>& some, const std::vector<SymbolRange>& others) {
    return std::ranges::equal(some, others, [](const SymbolRange& a, const SymbolRange& b) {
        return a.symbol == b.symbol && a.minimum == b.minimum && a.maximum == b.maximum;
    });
}

SavedPlace SavedPlace::of(const GraphSession& session) {
    const auto& options = session.session->options();
    return {options.policy, options.donated, session.ranges, SessionPlace::of(*session.session, no_node)};
}

bool SavedPlace::isSameState(const SavedPlace& other) const {
    return policy == other.policy && donated == other.donated && isSame(ranges, other.ranges) && place.isSameState(other.place);
}

} // namespace inspector
