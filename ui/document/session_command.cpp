#include "ui/document/session_command.h"

#include <algorithm>

#include "ui/document/document.h"
#include "ui/document/document_state.h"

namespace inspector {

SessionPlace SessionPlace::of(const ReinplaceSession& session, NodeId selected) {
    return {session.position(), session.checks_asked(), session.options().choices, selected};
}

void SessionPlace::restore(ReinplaceSession& session) const {
    if (session.checks_asked() > 0) session.step_back();
    // Going back first keeps decisions from being made again for choices that are about to change.
    session.run_to(std::min(position, session.position()));
    const std::map<std::uint32_t, Choice> present = session.options().choices;
    for (const auto& [index, choice] : present)
        if (!choices.contains(index)) session.choose(index, Choice::policy);
    for (const auto& [index, choice] : choices)
        if (session.choice(index) != choice) session.choose(index, choice);
    session.run_to(position);
    for (std::size_t i = 0; i < checks; ++i) session.step_check();
}

bool SessionPlace::isSameState(const SessionPlace& other) const {
    return position == other.position && checks == other.checks && choices == other.choices;
}

SessionCommand::SessionCommand(Document& document, const QString& text, SessionPlace before, SessionPlace after)
    : QUndoCommand(text), document_(document), before_(std::move(before)), after_(std::move(after)) {}

void SessionCommand::undo() { goTo(before_); }

void SessionCommand::redo() {
    if (std::exchange(isDone_, false)) return;
    goTo(after_);
}

void SessionCommand::goTo(const SessionPlace& place) {
    place.restore(*document_.state_->session);
    document_.afterStep(place.selected);
}

} // namespace inspector
