// Bytes of a text file as UTF-8.
#pragma once

#include <string>

#include "core/graph/result.h"

namespace inspector {

/// Takes UTF-8 with or without a byte order mark, and UTF-16 with one (what PowerShell's `>` writes). Bytes that are no
/// UTF-8 become U+FFFD. Error: the bytes are no text (they hold zeros).
[[nodiscard]] Result<std::string> decode_text(std::string bytes);

} // namespace inspector
