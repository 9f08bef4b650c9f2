// Writing the functionalized graph, in the format that a file's ending names.
#pragma once

#include <vector>

#include <QString>

#include "core/graph/result.h"
#include "core/passes/functionalize/functionalize.h"

namespace inspector {

struct FunctionalFormat {
    QString suffix; ///< "py", without the dot
    QString title;  ///< "Python module"
};
/// In the order a file dialog lists them; "pt2" only where `program` came from one.
[[nodiscard]] std::vector<FunctionalFormat> functionalFormats(const Program& program);

/// Makes program.graphs[graph] functional to its end, with the graphs nested in it, and writes `path` whole or not at all.
/// Errors: a mutation that is refused, an ending that is no format's, the file that was read, a node the format cannot
/// write, the file.
[[nodiscard]] Result<void> writeFunctional(const Program& program, std::size_t graph, Epilogue epilogue, const QString& path);

/// A file of the functionalized graph in a folder that goes with the program's end, to be opened: a .pt2 where the source
/// is one, else text. Errors: as above.
[[nodiscard]] Result<QString> functionalFile(const Program& program, std::size_t graph, Epilogue epilogue);
/// Whether `path` is such a file: no file of the person's.
[[nodiscard]] bool isFunctionalFile(const QString& path);

} // namespace inspector
