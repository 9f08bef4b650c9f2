// How many of something, in words.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace inspector {

/// "1 node", "2 nodes", "0 nodes": `noun` is of one, and gets an s.
[[nodiscard]] std::string count_text(std::uint64_t count, std::string_view noun);
/// "1 decision differs", "2 decisions differ": what stands behind the number, of one and of any other.
[[nodiscard]] std::string count_text(std::uint64_t count, std::string_view one, std::string_view many);

} // namespace inspector
