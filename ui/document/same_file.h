// Whether writing to a path would overwrite a file that is read from.
#pragma once

#include <QString>

#include "core/graph/program.h"

namespace inspector {

/// One and the same file that exists, by whatever paths and links.
[[nodiscard]] bool isSameFile(const QString& a, const QString& b);
/// `path` is the file the program was read from, or the one its tensors lie in.
[[nodiscard]] bool isReadFrom(const Program& program, const QString& path);

} // namespace inspector
