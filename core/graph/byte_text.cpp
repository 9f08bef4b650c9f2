#include "core/graph/byte_text.h"

#include <array>
#include <cstddef>
#include <cstdio>

namespace inspector {

std::string byte_text(std::int64_t bytes) {
    constexpr std::array units{"KiB", "MiB", "GiB", "TiB"};
    if (bytes < 1024) return std::to_string(bytes) + " B";
    double value = static_cast<double>(bytes);
    std::size_t unit = 0;
    for (value /= 1024; value >= 1024 && unit + 1 < units.size(); value /= 1024) ++unit;
    std::array<char, 32> buffer{};
    std::snprintf(buffer.data(), buffer.size(), "%.1f %s", value, units[unit]);
    return buffer.data();
}

} // namespace inspector
