#include "core/formats/standard_input.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>

namespace inspector {
namespace {

constexpr std::string_view descriptors = "/proc/self/fd/";

} // namespace

Result<std::string> keep_standard_input(std::string_view begun) {
    // Not closed: records are read when they are needed.
    std::FILE* file = std::tmpfile();
    if (!file) return fail({}, std::string("standard input cannot be kept: ") + std::strerror(errno));
    bool is_kept = std::fwrite(begun.data(), 1, begun.size(), file) == begun.size();
    std::array<char, 1 << 16> block{};
    while (is_kept) {
        const std::size_t count = std::fread(block.data(), 1, block.size(), stdin);
        if (count == 0) break;
        is_kept = std::fwrite(block.data(), 1, count, file) == count;
    }
    if (!is_kept || std::fflush(file) != 0) return fail({}, std::string("standard input cannot be kept: ") + std::strerror(errno));
    if (std::ferror(stdin)) return fail({}, std::string("cannot be read: ") + std::strerror(errno));
    return std::string(descriptors) + std::to_string(fileno(file));
}

bool is_kept_standard_input(std::string_view path) { return path.starts_with(descriptors); }

} // namespace inspector
