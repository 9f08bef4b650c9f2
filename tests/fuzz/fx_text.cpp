// FX text in every variant, as it is opened: any encoding, listing, code, program or log.
#include "tests/fuzz/target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::check_program(inspector::read_text(std::string(fuzz::as_text(data, size)), fuzz::small_limits()));
    return 0;
}
