#include "core/formats/reader.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

#include "core/formats/text_encoding.h"

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
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) return fail({}, "this is a folder");
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

Result<Program> read_file(const std::string& path, const ReadOptions& options) {
    auto file = open(path);
    if (!file) return tl::unexpected(file.error());
    std::string bytes(zip_magic.size(), '\0');
    bytes.resize(std::fread(bytes.data(), 1, bytes.size(), file->get()));
    if (bytes == zip_magic) {
        if (path == standard_input) return fail({}, "an archive cannot be read from standard input; give its path");
        file->reset();
        return read_pt2(path, options);
    }
    if (auto done = read_rest(file->get(), options.limits.text_bytes, bytes); !done)
        return tl::unexpected(done.error());
    if (bytes.empty()) return fail({}, "the file is empty");
    auto text = decode_text(std::move(bytes));
    if (!text) return tl::unexpected(text.error());
    return read_fx_text(*text, options);
}

} // namespace

Result<Program> read_program(const std::string& path, const ReadOptions& options) {
    auto program = read_file(path, options);
    if (!program) {
        Error error = program.error();
        error.file = path;
        return tl::unexpected(std::move(error));
    }
    program->path = path;
    return program;
}

} // namespace inspector
