// The code of a TorchScript archive, compiled by LibTorch to graphs, and not run.
#pragma once

#include "core/formats/pt2/archive.h"
#include "core/formats/reader.h"
#include "core/formats/torchscript/script_module.h"

namespace inspector::torchscript {

/// Adds to `module`, whose state is known, the graphs of its methods and of all they call, and says of each attribute whether
/// the class's code names it a parameter. No operator, method or `__setstate__` of the file runs: the compiler would evaluate
/// default values and attributes of classes, so code in which one is no literal is refused before it is compiled; it folds
/// arithmetic on constant numbers. Errors: a class or function is missing, or its code is refused by the compiler (LibTorch's
/// words), nests deeper or is longer than the limits.
[[nodiscard]] Result<void> import_code(const pt2::Archive& archive, const ReadOptions& options, ScriptModule& module);

} // namespace inspector::torchscript
