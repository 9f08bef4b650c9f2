#include "ui/session_files/save_document.h"

#include <QFileInfo>

#include "core/formats/atomic_file.h"
#include "core/formats/session_document/session_document.h"
#include "core/passes/reinplace/saved_session.h"
#include "ui/document/document.h"

namespace inspector {

QString documentEnding() { return QStringLiteral("session.json"); }

SavedSession savedSession(const Document& document) {
    const Program& program = *document.program();
    SavedSession saved = save_session(*document.session(), document.graphIndex(), document.selected());
    saved.origin = program.saved ? program.saved->origin : program.path;
    saved.origin_format = program.saved ? program.saved->origin_format : program.format;
    return saved;
}

Result<void> saveDocument(Document& document, const QString& path) {
    const Program& program = *document.program();
    const auto is = [&path](const std::string& other) { return QFileInfo(path) == QFileInfo(QString::fromStdString(other)); };
    const bool is_source = !program.saved && document.isFile() && is(program.path);
    if (is_source || (program.archive && is(program.archive->path)))
        return tl::unexpected(Error{path.toStdString(), {}, "the graph was read from this file; save beside it"});
    const auto part = print_program_part(program);
    if (!part) return tl::unexpected(part.error());
    const auto written =
        write_file_atomically(path.toStdString(), print_session_document(program, *part, savedSession(document)));
    if (written) document.markSaved(path);
    return written;
}

} // namespace inspector
