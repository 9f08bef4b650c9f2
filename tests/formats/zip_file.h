// Archives for tests: taking one apart, and writing one with changed records.
#pragma once

#include <cstdio>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <zip.h>

namespace test {

using Records = std::vector<std::pair<std::string, std::string>>; ///< full names and contents, in the archive's order

inline Records records_of(zip_t* opened) {
    Records records;
    const std::unique_ptr<zip_t, decltype(&zip_discard)> archive(opened, zip_discard);
    if (!archive) return records;
    for (zip_int64_t i = 0; i < zip_get_num_entries(archive.get(), 0); ++i) {
        zip_stat_t entry;
        if (zip_stat_index(archive.get(), static_cast<zip_uint64_t>(i), 0, &entry) != 0) return {};
        const std::unique_ptr<zip_file_t, decltype(&zip_fclose)> file(
            zip_fopen_index(archive.get(), static_cast<zip_uint64_t>(i), 0), zip_fclose);
        if (!file || entry.size > (64U << 20)) return {};
        std::string content(entry.size, '\0');
        if (zip_fread(file.get(), content.data(), content.size()) != static_cast<zip_int64_t>(content.size())) return {};
        records.emplace_back(entry.name, std::move(content));
    }
    return records;
}

inline Records unzip(const std::string& path) {
    int code = 0;
    return records_of(zip_open(path.c_str(), ZIP_RDONLY, &code));
}

/// Empty where the bytes are no whole archive.
inline Records unzip_bytes(std::string_view bytes) {
    zip_source_t* memory = zip_source_buffer_create(bytes.data(), bytes.size(), 0, nullptr);
    zip_t* archive = zip_open_from_source(memory, ZIP_RDONLY, nullptr);
    if (!archive) zip_source_free(memory);
    return records_of(archive);
}

/// A new file each time: ext4 flushes to disk what is truncated and written again, which takes long.
inline bool write_anew(const std::string& path, std::string_view bytes) {
    std::remove(path.c_str());
    std::ofstream file(path, std::ios::binary);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return file.good();
}

/// An archive's bytes; nullopt where there can be no such archive. Built in memory, since libzip flushes each file to disk.
inline std::optional<std::string> zip_bytes(const Records& records, zip_int32_t compression = ZIP_CM_STORE) {
    zip_source_t* memory = zip_source_buffer_create(nullptr, 0, 0, nullptr);
    const std::unique_ptr<zip_source_t, decltype(&zip_source_free)> kept(memory, zip_source_free);
    zip_t* archive = zip_open_from_source(memory, ZIP_TRUNCATE, nullptr);
    if (!archive) return std::nullopt;
    zip_source_keep(memory);
    for (const auto& [name, content] : records) {
        zip_source_t* source = zip_source_buffer(archive, content.data(), content.size(), 0);
        const zip_int64_t index = zip_file_add(archive, name.c_str(), source, ZIP_FL_ENC_UTF_8);
        if (index < 0) zip_source_free(source);
        if (index < 0 || zip_set_file_compression(archive, static_cast<zip_uint64_t>(index), compression, 1) != 0) {
            zip_discard(archive);
            return std::nullopt;
        }
    }
    if (zip_close(archive) != 0) {
        zip_discard(archive);
        return std::nullopt;
    }
    if (zip_source_open(memory) != 0) return std::nullopt;
    std::string bytes;
    char block[65536];
    for (zip_int64_t got; (got = zip_source_read(memory, block, sizeof block)) > 0;)
        bytes.append(block, static_cast<std::size_t>(got));
    zip_source_close(memory);
    return bytes;
}

/// False where the archive could not be written.
inline bool zip(const std::string& path, const Records& records, zip_int32_t compression = ZIP_CM_STORE) {
    const auto bytes = zip_bytes(records, compression);
    return bytes && write_anew(path, *bytes);
}

/// The content of the record whose name ends like this; nullptr where there is none.
inline std::string* record(Records& records, const std::string& ending) {
    for (auto& [name, content] : records)
        if (name.ends_with(ending)) return &content;
    return nullptr;
}

} // namespace test
