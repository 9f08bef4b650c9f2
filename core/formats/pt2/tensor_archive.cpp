#include "core/formats/pt2/tensor_archive.h"

#include <filesystem>

namespace inspector::pt2 {

TensorArchive tensor_archive(const Archive& archive, const std::string& path) {
    std::error_code error;
    const auto absolute = std::filesystem::absolute(path, error);
    const auto bytes = std::filesystem::file_size(path, error);
    return {.path = error ? path : absolute.lexically_normal().string(), .bytes = error ? 0 : bytes,
            .checksum = archive.checksum(), .is_at_hand = true};
}

Result<void> check_archive(const std::string& path, const TensorArchive& expected) {
    std::error_code error;
    if (!std::filesystem::exists(path, error)) return fail({}, "there is no such file");
    if (!std::filesystem::is_regular_file(path, error)) return fail({}, "is not a file");
    const auto bytes = std::filesystem::file_size(path, error);
    if (error || bytes != expected.bytes)
        return fail({}, "has " + std::to_string(bytes) + " bytes, not " + std::to_string(expected.bytes));
    const auto archive = Archive::open(path);
    if (!archive) return tl::unexpected(archive.error());
    if (archive->checksum() != expected.checksum) return fail({}, "has another content: its checksum differs");
    return {};
}

} // namespace inspector::pt2
