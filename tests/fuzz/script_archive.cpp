// A torch.jit.save archive: its pickles, and its code, which LibTorch compiles.
#include "core/formats/torchscript/read_torchscript.h"
#include "tests/fuzz/memory_file.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const fuzz::MemoryFile file(fuzz::as_text(data, size));
    const auto archive = inspector::pt2::Archive::open(file.path());
    if (!archive) {
        fuzz::require(!archive.error().reason.empty(), "an error has a reason");
        return 0;
    }
    fuzz::check_program(inspector::read_script_archive(*archive, file.path(), fuzz::small_limits()));
    return 0;
}
