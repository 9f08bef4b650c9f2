#include "core/libtorch/library.h"

#include <filesystem>

#include <dlfcn.h>

namespace inspector {
namespace {

/// Beside this library: by its name alone the loader looks where its caller says, which under AddressSanitizer is that.
std::string place_of_module() {
    const std::string name = "libreinplace_libtorch.so";
    Dl_info here{};
    if (!dladdr(reinterpret_cast<const void*>(&libtorch), &here) || !here.dli_fname) return name;
    const std::filesystem::path beside = std::filesystem::path(here.dli_fname).parent_path() / name;
    std::error_code error;
    return std::filesystem::exists(beside, error) ? beside.string() : name;
}

Result<const LibTorch*> load() {
    const auto failed = [] { return fail("", std::string("LibTorch cannot be loaded: ") + dlerror()); };
    void* library = dlopen(place_of_module().c_str(), RTLD_LAZY | RTLD_LOCAL);
    if (!library) return failed();
    void* entry = dlsym(library, "reinplace_libtorch");
    if (!entry) return failed();
    return reinterpret_cast<const LibTorch* (*)()>(entry)();
}

} // namespace

const Result<const LibTorch*>& libtorch() {
    static const Result<const LibTorch*> loaded = load();
    return loaded;
}

} // namespace inspector
