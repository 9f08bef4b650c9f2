// Changes of a JSON text: of its tree, and one time in four of its bytes.
#include <cstring>

#include "tests/fuzz/json_changes.h"
#include "tests/fuzz/target.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t capacity);
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t capacity,
                                               unsigned seed);

std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t capacity, unsigned seed) {
    if (seed % 4 == 0) return LLVMFuzzerMutate(data, size, capacity);
    const auto changed = fuzz::change_json(fuzz::as_text(data, size), capacity, seed / 4);
    if (!changed) return LLVMFuzzerMutate(data, size, capacity);
    std::memcpy(data, changed->data(), changed->size());
    return changed->size();
}
