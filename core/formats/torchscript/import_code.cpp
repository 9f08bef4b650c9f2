#include "core/formats/torchscript/import_code.h"

#include "core/libtorch/library.h"

namespace inspector::torchscript {

Result<void> import_code(const pt2::Archive& archive, const ReadOptions& options, ScriptModule& module) {
    return ask_libtorch(&LibTorch::import_code, archive, options, module);
}

} // namespace inspector::torchscript
