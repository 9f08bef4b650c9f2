// One entry of the undo history: where the session was before and after a step or a choice.
#pragma once

#include <map>

#include <QUndoCommand>

#include "core/passes/reinplace/session.h"

namespace inspector {

class Document;

/// Everything that tells one state of a session from another, given its graph and policy.
struct SessionPlace {
    std::uint32_t position = 0;               ///< decisions made
    std::size_t checks = 0;                   ///< checks stepped of the current node
    std::map<std::uint32_t, Choice> choices;  ///< by decision number
    NodeId selected = no_node;

    [[nodiscard]] static SessionPlace of(const ReinplaceSession& session, NodeId selected);
    /// Brings `session` here, whatever its state.
    void restore(ReinplaceSession& session) const;
    /// Whether the session would be the same: selection apart.
    [[nodiscard]] bool isSameState(const SessionPlace& other) const;
};

class SessionCommand : public QUndoCommand {
public:
    SessionCommand(Document& document, const QString& text, SessionPlace before, SessionPlace after);
    void undo() override;
    void redo() override;

private:
    void goTo(const SessionPlace& place);
    Document& document_;
    SessionPlace before_;
    SessionPlace after_;
    bool isDone_ = true; ///< pushing an entry calls redo() for what has already happened
};

} // namespace inspector
