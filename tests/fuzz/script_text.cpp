// TorchScript's graphs as they are printed.
#include "tests/fuzz/target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::check_program(inspector::read_script_text(fuzz::as_text(data, size), fuzz::small_limits()));
    return 0;
}
