#include "core/formats/file_bytes.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string_view>

namespace inspector {
namespace {

struct Closer {
    void operator()(std::FILE* file) const {
        if (file && file != stdin) std::fclose(file);
    }
};
using File = std::unique_ptr<std::FILE, Closer>;

constexpr std::string_view standard_input = "-";
constexpr std::string_view zip_magic = "PK\x03\x04";

Result<File> open(const std::string& path) {
    if (path == standard_input) return File(stdin);
    File file(std::fopen(path.c_str(), "rb"));
    if (!file) return fail({}, std::string("cannot be opened: ") + std::strerror(errno));
    return file;
}

/// Appends what is left of the file; an error beyond `limit` bytes.
Result<void> read_rest(std::FILE* file, std::uint64_t limit, std::string& bytes) {
    std::array<char, 1 << 16> block{};
    while (const std::size_t count = std::fread(block.data(), 1, block.size(), file)) {
        if (bytes.size() + count > limit)
            return fail({}, "the text is longer than " + std::to_string(limit) + " bytes");
        bytes.append(block.data(), count);
    }
    if (std::ferror(file)) return fail({}, std::string("cannot be read: ") + std::strerror(errno));
    return {};
}

} // namespace

bool is_zip_start(const std::string& bytes) { return bytes == zip_magic; }

Result<std::string> read_file_bytes(const std::string& path, std::uint64_t limit) {
    auto file = open(path);
    if (!file) return tl::unexpected(file.error());
    std::string bytes(zip_magic.size(), '\0');
    bytes.resize(std::fread(bytes.data(), 1, bytes.size(), file->get()));
    if (is_zip_start(bytes)) return bytes;
    if (auto done = read_rest(file->get(), limit, bytes); !done) return tl::unexpected(done.error());
    return bytes;
}

Result<bool> begins_as_text(const std::string& path) {
    auto file = open(path);
    if (!file) return tl::unexpected(file.error());
    std::array<char, 4096> block{};
    const std::string_view start(block.data(), std::fread(block.data(), 1, block.size(), file->get()));
    return start.starts_with(zip_magic) || start.starts_with("\xFF\xFE") || start.starts_with("\xFE\xFF") ||
           (!start.empty() && start.find('\0') == std::string_view::npos);
}

} // namespace inspector
