// Writing what is open as a session document.
#pragma once

#include <vector>

#include <QString>

#include "core/graph/program.h"

namespace inspector {

class Document;

/// How a session document's name ends.
[[nodiscard]] QString documentEnding();

/// What a document keeps of Document::sessions(), in that order, with `program`, its programToKeep(). Precondition: something is open.
[[nodiscard]] std::vector<SavedSession> savedSessions(const Document& document, const Program& program);

/// Writes the session document and tells `document` that it is saved there. Error: the path is that of the file the
/// graph came from, or cannot be written; the file there is as it was.
[[nodiscard]] Result<void> saveDocument(Document& document, const QString& path);

} // namespace inspector
