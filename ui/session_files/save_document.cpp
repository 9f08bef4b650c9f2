#include "ui/session_files/save_document.h"

#include <algorithm>

#include "core/formats/atomic_file.h"
#include "core/formats/session_document/session_document.h"
#include "core/passes/reinplace/saved_session.h"
#include "ui/document/document.h"
#include "ui/document/graph_session.h"
#include "ui/document/same_file.h"

namespace inspector {

QString documentEnding() { return QStringLiteral("session.json"); }

std::vector<SavedSession> savedSessions(const Document& document, const Program& program) {
    const std::shared_ptr<const Program> as_read = document.programAsRead();
    std::vector<SavedSession> all;
    for (const GraphSession& each : document.sessions()) {
        const auto graph = std::ranges::find(program.graphs, each.graph, &ProgramGraph::id) - program.graphs.begin();
        SavedSession& saved = all.emplace_back(save_session(*each.session, static_cast<std::size_t>(graph), each.selected));
        if (each.ranges.empty()) continue;
        const auto read = std::ranges::find(as_read->graphs, each.graph, &ProgramGraph::id);
        saved.file_ranges = FileRanges{read->ranges, read->hints};
    }
    set_origin(all.front(), program);
    return all;
}

Result<void> saveDocument(Document& document, const QString& path) {
    const std::shared_ptr<const Program> kept = document.programToKeep();
    const Program& program = *kept;
    const bool is_source = !program.saved && document.isFile() && isSameFile(path, QString::fromStdString(program.path));
    if (is_source || (program.archive && isSameFile(path, QString::fromStdString(program.archive->path))))
        return tl::unexpected(Error{path.toStdString(), {}, "the graph was read from this file; save beside it"});
    const auto part = print_program_part(program);
    if (!part) return tl::unexpected(part.error());
    const auto written = write_file_atomically(
        path.toStdString(), print_session_document(program, *part, savedSessions(document, program)));
    if (written) document.markSaved(path);
    return written;
}

} // namespace inspector
