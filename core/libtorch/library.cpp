#include "core/libtorch/library.h"

#include <dlfcn.h>

namespace inspector {
namespace {

Result<const LibTorch*> load() {
    const auto failed = [] { return fail("", std::string("LibTorch cannot be loaded: ") + dlerror()); };
    void* library = dlopen("libreinplace_libtorch.so", RTLD_LAZY | RTLD_LOCAL);
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
