// Bytes in words.
#pragma once

#include <cstdint>
#include <string>

namespace inspector {

/// "512 B", "1.5 KiB": one digit after the point, units of 1024.
[[nodiscard]] std::string byte_text(std::int64_t bytes);

} // namespace inspector
