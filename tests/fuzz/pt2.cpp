// A .pt2 archive.
#include "tests/fuzz/memory_file.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const fuzz::MemoryFile file(fuzz::as_text(data, size));
    fuzz::check_program(inspector::read_pt2(file.path(), fuzz::small_limits()));
    return 0;
}
