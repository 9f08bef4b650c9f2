// A file's content.
#pragma once

#include <cstdint>
#include <string>

#include "core/graph/result.h"

namespace inspector {

/// All bytes of the file; `path` "-" is standard input. Of a zip archive (a .pt2) only its first four bytes, since its
/// reader opens it by itself. Errors, without the file's name: it cannot be opened or read; it is longer than `limit`.
[[nodiscard]] Result<std::string> read_file_bytes(const std::string& path, std::uint64_t limit);
/// Whether the file's first bytes are those of a text in UTF-8 or marked UTF-16, or of a zip archive.
[[nodiscard]] Result<bool> begins_as_text(const std::string& path);
[[nodiscard]] bool is_zip_start(const std::string& bytes);

} // namespace inspector
