// Our own document.
#include "tests/fuzz/target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::check_program(inspector::read_session_document(fuzz::as_text(data, size), fuzz::small_limits()));
    return 0;
}
