// Changes inside the records of a ZIP archive, whose checksums libFuzzer could not mend: a record is changed and the
// archive packed again. One time in eight the archive's own bytes are changed.
#include <algorithm>
#include <cstring>
#include <vector>

#include "tests/formats/zip_file.h"
#include "tests/fuzz/json_changes.h"
#include "tests/fuzz/target.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t capacity);
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t capacity,
                                               unsigned seed);

namespace {

std::string changed_bytes(const std::string& record, std::size_t room) {
    std::vector<std::uint8_t> bytes(room + 1);
    std::memcpy(bytes.data(), record.data(), record.size());
    return {reinterpret_cast<const char*>(bytes.data()), LLVMFuzzerMutate(bytes.data(), record.size(), room)};
}

} // namespace

std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t capacity, unsigned seed) {
    test::Records records = seed % 8 == 0 ? test::Records() : test::unzip_bytes(fuzz::as_text(data, size));
    if (records.empty()) return LLVMFuzzerMutate(data, size, capacity);
    std::string& record = records[seed / 8 % records.size()].second;
    const std::size_t room = record.size() + capacity - std::min(size, capacity);
    // Tree or bytes by turns; a record that is no JSON by its bytes.
    const auto changed = seed % 2 == 0 ? fuzz::change_json(record, room, seed / 8) : std::nullopt;
    record = changed ? *changed : changed_bytes(record, room);
    const auto packed = test::zip_bytes(records);
    if (!packed || packed->size() > capacity) return LLVMFuzzerMutate(data, size, capacity);
    std::memcpy(data, packed->data(), packed->size());
    return packed->size();
}
