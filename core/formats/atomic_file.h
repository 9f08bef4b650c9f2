// Writing a file so that a reader sees the old contents or the new, never a part.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "core/graph/result.h"

namespace inspector {

/// Writes a temporary file beside `path`, flushes it to disk and renames it. A symbolic link keeps pointing where it
/// did: its target is replaced. An existing file keeps its permissions. Devices and pipes cannot be renamed over and
/// are written to directly. On an error the file at `path` is as it was and no temporary file is left; the error's file
/// is `path`.
[[nodiscard]] Result<void> write_file_atomically(const std::string& path, std::string_view contents);

/// Takes the next piece of a file's contents; false: it could not be written, and no more is wanted.
using PieceWriter = std::function<bool(std::string_view piece)>;
/// The same for contents that are better not held at once: `produce` is called once and writes them piece by piece. Its
/// error ends the writing like one of the disk, and is what is returned.
[[nodiscard]] Result<void> write_file_atomically(const std::string& path,
                                                 const std::function<Result<void>(const PieceWriter& write)>& produce);

} // namespace inspector
