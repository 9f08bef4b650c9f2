// The pickles of a TorchScript archive.
#include "core/formats/torchscript/pickle.h"
#include "tests/fuzz/target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto pickle = inspector::torchscript::read_pickle(fuzz::as_text(data, size));
    if (!pickle) fuzz::require(!pickle.error().reason.empty(), "an error has a reason");
    else (void)pickle->top();
    return 0;
}
