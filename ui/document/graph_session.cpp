#include "ui/document/graph_session.h"

#include <algorithm>

namespace inspector {

Rewrites rewritesOf(const ReinplaceSession& session) {
    Rewrites made;
    for (const Decision& decision : session.decisions())
        if (is_rewritten(decision)) made.emplace_back(decision.index, decision.verdict);
    return made;
}

bool GraphSession::hasWork() const {
    const auto& options = session->options();
    return session->position() > 0 || session->checks_asked() > 0 || !options.choices.empty() || !options.donated.empty() ||
           !ranges.empty();
}

bool GraphSession::hasUnwrittenWork() const {
    return !session->options().choices.empty() || exported != rewritesOf(*session);
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
