// The ZIP archive that a .pt2 file is: finding and reading records. Read through libzip, which checks each record's
// CRC and also opens archives without a root folder (PyTorchStreamReader does neither).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/result.h"

namespace inspector::pt2 {

/// Opening reads the directory alone, so the size of the weights does not matter. Record names are given without the
/// root folder. Not thread-safe.
class Archive {
public:
    /// Fails where `path` is no file, or no complete ZIP archive.
    [[nodiscard]] static Result<Archive> open(const std::string& path);
    Archive(Archive&&) noexcept;
    Archive& operator=(Archive&&) noexcept;
    ~Archive();

    /// "model/": what stands before each record's name. Empty where records are at the top, as before torch 2.8.
    [[nodiscard]] const std::string& root() const;
    /// In the archive's order; folders left out.
    [[nodiscard]] const std::vector<std::string>& records() const;
    [[nodiscard]] bool contains(std::string_view record) const;
    /// Bytes when unpacked, as the directory says; nullopt where there is no such record.
    [[nodiscard]] std::optional<std::uint64_t> size(std::string_view record) const;

    /// MD5 over every record's name, size and CRC, as the directory has them: another where any byte of a record is.
    /// Costs as much as opening.
    [[nodiscard]] std::string checksum() const;

    /// The whole record. Fails where it is missing, larger than `limit` bytes, cut off or damaged, or is large and
    /// unpacks to more than 200 times what is stored.
    [[nodiscard]] Result<std::string> read(std::string_view record, std::uint64_t limit) const;
    /// The whole record into `bytes`, which must have its size.
    [[nodiscard]] Result<void> read_into(std::string_view record, std::span<std::byte> bytes) const;

private:
    struct State;
    explicit Archive(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

} // namespace inspector::pt2
