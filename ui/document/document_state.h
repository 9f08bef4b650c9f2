// What a Document holds; only the document and its undo entries see it.
#pragma once

#include <atomic>
#include <optional>

#include <QFutureWatcher>
#include <QThreadPool>

#include "ui/document/document.h"
#include "ui/document/merged_storages.h"
#include "ui/document/opening.h"
#include "ui/document/session_command.h"

namespace inspector {

struct Document::State {
    /// Shared with the worker, which may outlive the wish to have its result.
    struct Job {
        std::atomic<bool> cancelled{false};
        Result<OpenedProgram> result = tl::unexpected(Error{});
    };

    QString path;
    bool isFile = false;
    std::shared_ptr<const Program> program;
    std::size_t graphIndex = 0;
    QString policy; ///< that the next session gets; the session's own once there is one
    std::unique_ptr<ReinplaceSession> session;
    std::vector<int> decisionOfNode;                    ///< by node index; -1 for none
    // Made when asked for, dropped by every step.
    std::optional<MergedStorages> storages;
    std::optional<std::vector<NodeId>> nodes;
    std::optional<std::vector<std::optional<AutogradNote>>> autograd; ///< by decision

    const MergedStorages& merged() {
        if (!storages) storages = MergedStorages::run(*session);
        return *storages;
    }
    QUndoStack undo;
    NodeId selected = no_node;
    NodeId focused = no_node;
    std::vector<NodeId> highlighted;
    /// What an export writes, and what led to it.
    struct Work {
        std::vector<std::pair<std::uint32_t, Verdict>> rewrites;
        std::map<std::uint32_t, Choice> choices;
        friend bool operator==(const Work&, const Work&) = default;
    };
    Work exported;                                      ///< nothing, until an export has written it
    /// What a document holds of a session.
    struct SavedPlace {
        std::size_t graph = 0;
        QString policy;
        SessionPlace place;
    };
    QString documentPath;
    std::optional<SavedPlace> saved;                    ///< in documentPath; none where that is empty, or has another
    std::vector<std::string> notes;
    bool isModified = false;

    struct Comparison {
        std::atomic<bool> cancelled{false};
        std::vector<PolicyDifference> differences;      ///< by index of the node
    };
    std::shared_ptr<Comparison> comparing;              ///< null when none is under way
    std::vector<PolicyDifference> differences;          ///< empty until policies are compared

    std::shared_ptr<Job> job;                           ///< null when nothing is being prepared
    QThreadPool workers;
};

} // namespace inspector
