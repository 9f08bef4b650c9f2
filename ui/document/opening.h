// What happens off the UI thread: reading a file, propagating metadata, starting a session.
#pragma once

#include <atomic>
#include <functional>
#include <memory>

#include <QByteArray>
#include <QString>

#include "core/graph/program.h"
#include "ui/document/graph_session.h"

namespace inspector {

/// A program with a session on one of its graphs; of a session document, perhaps on others too.
struct OpenedProgram {
    std::shared_ptr<const Program> program;
    GraphSession shown;
    std::vector<GraphSession> others{};
    std::vector<std::string> notes{};   ///< what a person should know of restored sessions
};

struct OpeningContext {
    QString policy;
    const std::atomic<bool>* cancelled = nullptr;
    std::function<void(int percent)> progress; ///< called from the calling thread
};

/// Reads `path` and starts a session on its first graph; of a session document, restores its sessions. Of a large log
/// the other graphs are left unread.
[[nodiscard]] Result<OpenedProgram> openProgram(const QString& path, const OpeningContext& context);
/// The same for a document that was kept for somebody: the program's path is the one that was open then.
[[nodiscard]] Result<OpenedProgram> openAbandoned(const QString& path, const OpeningContext& context);
/// The same for a text that is in no file; errors name `title` in a path's place.
[[nodiscard]] Result<OpenedProgram> openText(QByteArray text, const QString& title, const OpeningContext& context);

/// Starts a session on another graph of an open program, with another policy, or with other inputs donated (by name). A
/// graph that is unread is read: then the result has another program, and perhaps another place of the graph in it.
[[nodiscard]] Result<OpenedProgram> openGraph(std::shared_ptr<const Program> program, std::size_t graph,
                                              const QString& policy, const std::vector<std::string>& donated);

/// Starts a session on a graph of an open program that has other ranges of symbols than the file's: with these options, and as far
/// as `place` says. The result's program is the one given.
[[nodiscard]] Result<OpenedProgram> openWithRanges(std::shared_ptr<const Program> program, std::size_t graph,
                                                   ReinplaceSession::Options options, const std::vector<SymbolRange>& ranges,
                                                   const SessionPlace& place);

} // namespace inspector
