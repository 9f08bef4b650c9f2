// What readers ask of LibTorch, linked rather than loaded, so that it is fuzzed as they are.
#include "core/libtorch/entries.h"

namespace inspector {

const Result<const LibTorch*>& libtorch() {
    static const LibTorch table = [] {
        LibTorch made{};
        made.dispatcher_overloads = &entries::dispatcher_overloads;
        made.import_code = &entries::import_code;
        return made;
    }();
    static const Result<const LibTorch*> linked = &table;
    return linked;
}

} // namespace inspector
