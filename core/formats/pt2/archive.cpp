#include "core/formats/pt2/archive.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <functional>
#include <unordered_map>

#include <zip.h>

#include "core/formats/md5.h"
#include "core/graph/count_text.h"

namespace inspector::pt2 {
namespace {

struct Discard {
    void operator()(zip_t* archive) const { zip_discard(archive); }
};
struct Close {
    void operator()(zip_file_t* file) const { zip_fclose(file); }
};

/// libzip 1.11 tells a cut archive from what never was one; earlier ones do not.
bool is_truncated([[maybe_unused]] int code) {
#ifdef ZIP_ER_TRUNCATED_ZIP
    return code == ZIP_ER_TRUNCATED_ZIP;
#else
    return false;
#endif
}

/// Why libzip could not open `path`, for a person.
std::string opening_error(const std::string& path, int code) {
    if (code == ZIP_ER_NOZIP || code == ZIP_ER_INCONS || is_truncated(code)) {
        std::array<char, 4> start{};
        std::ifstream(path, std::ios::binary).read(start.data(), start.size());
        return std::string_view(start.data(), 2) == "PK"
                   ? "the ZIP archive is cut off or damaged: it has no valid directory at its end"
                   : "is no ZIP archive";
    }
    zip_error_t error;
    zip_error_init_with_code(&error, code);
    std::string words = zip_error_strerror(&error);
    zip_error_fini(&error);
    return "could not be opened as a ZIP archive: " + words;
}

} // namespace

struct Archive::State {
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
    };
    struct Entry {
        zip_uint64_t index;
        std::uint64_t size;
        std::uint64_t packed_size;
        std::uint32_t crc;
    };

    std::unique_ptr<zip_t, Discard> zip;
    std::string root;
    std::vector<std::string> records;
    std::unordered_map<std::string, Entry, Hash, std::equal_to<>> entries;

    const Entry* find(std::string_view record) const {
        const auto found = entries.find(record);
        return found == entries.end() ? nullptr : &found->second;
    }

    /// Reads the whole record into what `room` gives, told how many bytes are read: at least one byte until all are.
    Result<void> unpack(std::string_view record, const Entry& entry,
                        const std::function<std::span<std::byte>(std::size_t done)>& room) const {
        const std::unique_ptr<zip_file_t, Close> file(zip_fopen_index(zip.get(), entry.index, 0));
        if (!file) return fail(std::string(record), std::string("cannot be read: ") + zip_strerror(zip.get()));
        std::uint64_t done = 0;
        while (done < entry.size) {
            const std::span<std::byte> free = room(done);
            const zip_int64_t got = zip_fread(file.get(), free.data(), free.size());
            if (got < 0) return fail(std::string(record), std::string("is damaged: ") + zip_file_strerror(file.get()));
            if (got == 0) return fail(std::string(record), "is cut off after " + count_text(done, "byte"));
            done += static_cast<std::uint64_t>(got);
        }
        // The checksum is compared when the end is met; data beyond the size that the directory gives is met here too.
        std::byte beyond;
        if (const zip_int64_t got = zip_fread(file.get(), &beyond, 1); got != 0)
            return fail(std::string(record), got < 0 ? std::string("is damaged: ") + zip_file_strerror(file.get())
                                                     : "is longer than the archive's directory says");
        return {};
    }
};

Archive::Archive(std::unique_ptr<State> state) : state_(std::move(state)) {}
Archive::Archive(Archive&&) noexcept = default;
Archive& Archive::operator=(Archive&&) noexcept = default;
Archive::~Archive() = default;

Result<Archive> Archive::open(const std::string& path) {
    std::error_code status;
    if (!std::filesystem::exists(path, status)) return fail("", "there is no such file");
    if (!std::filesystem::is_regular_file(path, status)) return fail("", "is not a file");

    auto state = std::make_unique<State>();
    int code = 0;
    state->zip.reset(zip_open(path.c_str(), ZIP_RDONLY, &code));
    if (!state->zip) return fail("", opening_error(path, code));

    const auto count = static_cast<zip_uint64_t>(zip_get_num_entries(state->zip.get(), 0));
    for (zip_uint64_t index = 0; index < count; ++index) {
        zip_stat_t entry;
        if (zip_stat_index(state->zip.get(), index, 0, &entry) != 0 || !(entry.valid & ZIP_STAT_NAME) ||
            !(entry.valid & ZIP_STAT_SIZE) || !(entry.valid & ZIP_STAT_COMP_SIZE))
            return fail("", "the ZIP archive's directory is damaged at entry " + std::to_string(index));
        std::string_view name = entry.name;
        // torch takes the first entry's folder for the root of all (PyTorchStreamReader::init).
        if (index == 0)
            if (const auto slash = name.find('/'); slash != std::string_view::npos)
                state->root = name.substr(0, slash + 1);
        if (name.ends_with('/') || !name.starts_with(state->root)) continue;
        name.remove_prefix(state->root.size());
        const std::uint32_t crc = entry.valid & ZIP_STAT_CRC ? entry.crc : 0;
        const State::Entry known{index, entry.size, entry.comp_size, crc};
        if (!state->entries.try_emplace(std::string(name), known).second)
            return fail(std::string(name), "stands twice in the ZIP archive");
        state->records.emplace_back(name);
    }
    return Archive(std::move(state));
}

const std::string& Archive::root() const { return state_->root; }
const std::vector<std::string>& Archive::records() const { return state_->records; }
bool Archive::contains(std::string_view record) const { return state_->find(record) != nullptr; }

std::optional<std::uint64_t> Archive::size(std::string_view record) const {
    const State::Entry* entry = state_->find(record);
    return entry ? std::optional(entry->size) : std::nullopt;
}

std::string Archive::checksum() const {
    std::string directory;
    for (const std::string& record : state_->records) {
        const State::Entry& entry = *state_->find(record);
        directory += record + '\0' + std::to_string(entry.size) + ' ' + std::to_string(entry.crc) + '\n';
    }
    return md5(directory);
}

Result<std::string> Archive::read(std::string_view record, std::uint64_t limit) const {
    const auto bytes = size(record);
    if (!bytes) return fail(std::string(record), "is missing in the archive");
    if (*bytes > limit)
        return fail(std::string(record),
                    "has " + std::to_string(*bytes) + " bytes; the limit is " + std::to_string(limit));
    // torch packs nothing, and packed JSON unpacks to some twenty times its size; what is made to, to a thousand.
    constexpr std::uint64_t unsuspected_bytes = 16 << 20, most_times = 200;
    const State::Entry& entry = *state_->find(record);
    if (*bytes > unsuspected_bytes && *bytes / most_times > entry.packed_size)
        return fail(std::string(record), "unpacks to more than " + std::to_string(most_times) + " times its size");
    // Memory grows with what is there, whatever the directory says.
    constexpr std::size_t first_bytes = 1 << 20;
    std::string content;
    const auto room = [&](std::size_t done) {
        if (done == content.size()) content.resize(std::min<std::size_t>(*bytes, std::max(2 * done, first_bytes)));
        return std::as_writable_bytes(std::span(content)).subspan(done);
    };
    if (auto done = state_->unpack(record, entry, room); !done) return tl::unexpected(done.error());
    return content;
}

Result<void> Archive::read_into(std::string_view record, std::span<std::byte> bytes) const {
    const State::Entry* entry = state_->find(record);
    if (!entry) return fail(std::string(record), "is missing in the archive");
    if (entry->size != bytes.size())
        return fail(std::string(record),
                    "has " + std::to_string(entry->size) + " bytes, not " + std::to_string(bytes.size()));

    return state_->unpack(record, *entry, [&](std::size_t done) { return bytes.subspan(done); });
}

} // namespace inspector::pt2
