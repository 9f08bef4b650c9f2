// A folder with one log of compiles in it.
#include <filesystem>
#include <fstream>

#include "tests/fuzz/target.h"

namespace {

/// Removed with what is in it when the program ends.
struct Folder {
    std::filesystem::path path;
    Folder() {
        std::string name = (std::filesystem::temp_directory_path() / "fuzz-log-XXXXXX").string();
        fuzz::require(mkdtemp(name.data()) != nullptr, "a folder can be made");
        path = name;
    }
    ~Folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path, ignored);
    }
};

} // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const Folder folder;
    std::ofstream(folder.path / "compile.log", std::ios::binary) << fuzz::as_text(data, size);
    fuzz::check_program(inspector::read_log_folder(folder.path.string(), fuzz::small_limits()));
    return 0;
}
