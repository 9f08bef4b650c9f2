// Writing a file so that a reader sees the old contents or the new, never a part.
#pragma once

#include <string>
#include <string_view>

#include "core/graph/result.h"

namespace inspector {

/// Writes a temporary file beside `path`, flushes it to disk and renames it. A symbolic link keeps pointing where it did:
/// its target is replaced. An existing file keeps its permissions. Devices and pipes cannot be renamed over and are written
/// to directly. On an error the file at `path` is as it was and no temporary file is left; the error's file is `path`.
[[nodiscard]] Result<void> write_file_atomically(const std::string& path, std::string_view contents);

} // namespace inspector
