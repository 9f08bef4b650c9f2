// A session on one graph of the open program, and what goes with it while others are shown.
#pragma once

#include <memory>
#include <string>

#include "core/graph/program.h"
#include "core/passes/reinplace/session.h"
#include "ui/document/session_command.h"

namespace inspector {

/// What an export writes, and what led to it.
struct SessionWork {
    std::vector<std::pair<std::uint32_t, Verdict>> rewrites; ///< decisions that change the graph
    std::map<std::uint32_t, Choice> choices;

    [[nodiscard]] static SessionWork of(const ReinplaceSession& session);
    friend bool operator==(const SessionWork&, const SessionWork&) = default;
};

[[nodiscard]] bool isSame(const std::vector<SymbolRange>& some, const std::vector<SymbolRange>& others);

struct GraphSession {
    std::string graph; ///< its id
    std::shared_ptr<ReinplaceSession> session;
    NodeId selected = no_node;
    SessionWork exported; ///< nothing, until an export has written it
    std::vector<SymbolRange> ranges{}; ///< asked for instead of the file's, in order of their symbols
    std::shared_ptr<const Program> program{}; ///< in which the graph has them; nullptr: the open one, as read

    /// Whether anything was done in it: a session at its start, decided by the policy alone, can be made again at any time.
    [[nodiscard]] bool hasWork() const;
};

/// What a session document holds of a session.
struct SavedPlace {
    std::string policy;
    std::vector<std::string> donated;
    std::vector<SymbolRange> ranges;
    SessionPlace place;

    [[nodiscard]] static SavedPlace of(const GraphSession& session);
    /// Selection apart.
    [[nodiscard]] bool isSameState(const SavedPlace& other) const;
};

} // namespace inspector
