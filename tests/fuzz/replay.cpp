// Runs a fuzz target over files and folders, without libFuzzer.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "tests/fuzz/target.h"

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_of(const fs::path& given) {
    if (!fs::is_directory(given)) return {given};
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(given))
        if (entry.is_regular_file()) files.push_back(entry.path());
    std::ranges::sort(files);
    return files;
}

} // namespace

int main(int count, char** arguments) {
    std::size_t runs = 0;
    for (int i = 1; i < count; ++i) {
        for (const fs::path& path : files_of(arguments[i])) {
            std::ifstream file(path, std::ios::binary);
            if (!file) {
                std::cerr << path.string() << ": could not be opened\n";
                return 1;
            }
            const std::string bytes{std::istreambuf_iterator<char>(file), {}};
            std::cout << path.string() << std::endl; // before the run: the last line names what crashed
            LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
            ++runs;
        }
    }
    std::cout << runs << " inputs\n";
    return runs > 0 ? 0 : 1;
}
