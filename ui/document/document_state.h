// What a Document holds; only the document and its undo entries see it.
#pragma once

#include <algorithm>
#include <atomic>
#include <map>
#include <optional>

#include <QFutureWatcher>
#include <QThreadPool>

#include "core/passes/reinplace/range_effect.h"
#include "ui/document/document.h"
#include "ui/document/graph_session.h"
#include "ui/document/merged_storages.h"
#include "ui/document/opening.h"
#include "ui/document/session_command.h"
#include "ui/document/typed_program.h"

namespace inspector {

struct Document::State {
    /// Shared with the worker, which may outlive the wish to have its result.
    struct Job {
        std::atomic<bool> cancelled{false};
        Result<OpenedProgram> result = tl::unexpected(Error{});
    };

    QString path;
    bool isFile = false;
    std::shared_ptr<const Program> program;             ///< as read, but for the types of `given`
    GivenTypes given;
    std::shared_ptr<const Program> shownProgram;        ///< the same, but for `ranges` of the shown graph
    std::vector<SymbolRange> ranges;                    ///< asked for instead of the file's
    std::string graph;                                  ///< id of the one shown
    std::size_t graphIndex = 0;                         ///< its place in shownProgram
    QString policy; ///< that the next session gets; the session's own once there is one
    std::shared_ptr<ReinplaceSession> session;
    Rewrites exported;                                  ///< what an export has written of it
    std::map<std::string, GraphSession> others;         ///< of the graphs shown before, as they were left; by id
    std::vector<int> decisionOfNode;                    ///< by node index; -1 for none
    // Made when asked for, dropped by every step.
    std::optional<MergedStorages> storages;
    std::optional<std::vector<NodeId>> nodes;
    std::optional<std::vector<std::optional<AutogradNote>>> autograd; ///< by decision

    /// Where everything stands that a document keeps.
    struct Places {
        std::string graph;                              ///< shown; empty for none
        std::map<std::string, SavedPlace> sessions;     ///< by graph: the shown one, and those with work

        [[nodiscard]] bool isSameState(const Places& other) const {
            return graph == other.graph && std::ranges::equal(sessions, other.sessions, [](const auto& a, const auto& b) {
                return a.first == b.first && a.second.isSameState(b.second);
            });
        }
    };
    GraphSession shown() const { return {graph, session, selected, exported, ranges, ranges.empty() ? nullptr : shownProgram}; }
    TypedProgram typed() const { return {program, given, shown(), others}; }
    /// Of a graph of the program as read.
    std::size_t placeOf(const std::string& id) const {
        return static_cast<std::size_t>(std::ranges::find(program->graphs, id, &ProgramGraph::id) - program->graphs.begin());
    }
    Places places() const {
        Places found{graph, {}};
        for (const auto& [id, other] : others)
            if (other.hasWork()) found.sessions.emplace(id, SavedPlace::of(other));
        found.sessions.emplace(found.graph, SavedPlace::of(shown()));
        return found;
    }
    const MergedStorages& merged() {
        if (!storages) storages = MergedStorages::run(*session);
        return *storages;
    }
    QUndoStack undo;
    NodeId selected = no_node;
    NodeId focused = no_node;
    std::vector<NodeId> highlighted;
    QString documentPath;
    Places saved;                                       ///< in documentPath; none where that is empty, or has another
    std::vector<std::string> notes;
    bool isModified = false;

    struct Comparison {
        std::atomic<bool> cancelled{false};
        std::vector<PolicyDifference> differences;      ///< by index of the node
        std::vector<RangeEffect> effects;               ///< of the ranges asked for
    };
    std::shared_ptr<Comparison> comparing;              ///< null when none is under way
    std::vector<PolicyDifference> differences;          ///< empty until policies are compared
    std::optional<std::vector<RangeEffect>> effects;    ///< none until they are known, and where no ranges are asked for

    std::shared_ptr<Job> job;                           ///< null when nothing is being prepared
    QThreadPool workers;
};

} // namespace inspector
