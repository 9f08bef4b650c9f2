// A session on one graph of the open program, and what goes with it while others are shown.
#pragma once

#include <memory>
#include <string>

#include "core/graph/program.h"
#include "core/passes/reinplace/session.h"
#include "ui/document/session_command.h"

namespace inspector {

/// Decisions that change the graph, by number.
using Rewrites = std::vector<std::pair<std::uint32_t, Verdict>>;
[[nodiscard]] Rewrites rewritesOf(const ReinplaceSession& session);

[[nodiscard]] bool isSame(const std::vector<SymbolRange>& some, const std::vector<SymbolRange>& others);

struct GraphSession {
    std::string graph; ///< its id
    std::shared_ptr<ReinplaceSession> session;
    NodeId selected = no_node;
    Rewrites exported; ///< what an export has written; nothing at first
    std::vector<SymbolRange> ranges{}; ///< asked for instead of the file's, in order of their symbols
    std::shared_ptr<const Program> program{}; ///< in which the graph has them; nullptr: the open one, as read

    /// Whether anything was done in it: a session at its start, decided by the policy alone, can be made again at any time.
    [[nodiscard]] bool hasWork() const;
    /// Whether something was done that no export has written. Choices are in no export, only in a document.
    [[nodiscard]] bool hasUnwrittenWork() const;
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
