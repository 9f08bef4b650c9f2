// Writing the graph as rewritten so far, in the format that a file's ending names.
#pragma once

#include <vector>

#include <QString>

#include "core/graph/result.h"
#include "ui/document/document.h"

namespace inspector {

class GraphView;

struct ExportFormat {
    QString suffix; ///< "py", without the dot
    QString title;  ///< "Python module"
};
/// In the order a file dialog lists them; "pt2" only where `program` came from one.
[[nodiscard]] std::vector<ExportFormat> exportFormats(const Program& program);

/// Writes `path` whole or not at all. Errors: an ending that is no format's, the file that is open, a node the format
/// cannot write, the file.
[[nodiscard]] Result<void> exportGraph(const Document& document, const GraphView& view, const QString& path);

} // namespace inspector
