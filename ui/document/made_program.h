// Writing a program that was made of the open one (functionalized, decomposed), in the format that a file's ending names.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <QString>

#include "core/graph/program.h"
#include "core/graph/result.h"

namespace inspector {

struct MadeProgram {
    const Program& source;               ///< the open one; must outlive this
    const Program& made;
    std::size_t graph = 0;               ///< the shown one, in both
    QString kind;                        ///< "functional", "core": what names of files get
    std::function<std::string()> steps;  ///< what was done, as one line of JSON
};

struct MadeFormat {
    QString suffix; ///< "py", without the dot
    QString title;  ///< "Python module"
};
/// In the order a file dialog lists them; "pt2" only where `source` came from one.
[[nodiscard]] std::vector<MadeFormat> madeFormats(const Program& source);

/// Writes `path` whole or not at all. Errors: an ending that is no format's, a file that is open, a node the format cannot write, the
/// file.
[[nodiscard]] Result<void> writeMade(const MadeProgram& program, const QString& path);

/// A file of it in a folder that goes with the program's end, to be opened: a .pt2 where the source is one, else text.
/// Errors: as above.
[[nodiscard]] Result<QString> madeFile(const MadeProgram& program);
/// Whether `path` is such a file: no file of the person's.
[[nodiscard]] bool isMadeFile(const QString& path);

} // namespace inspector
