// Meta kernels that LibTorch has only in Python: shapes, strides and dtypes of results, as torch 2.13's fake tensors
// give them. Torch-free header.
#pragma once

#include "core/operators/operator_schema.h"

namespace inspector {

/// Whether this folder has a kernel for `op`.
[[nodiscard]] bool has_own_meta_kernel(const Operator& op);

/// Registers with the dispatcher, once per process, every kernel of this folder whose operator has no Meta kernel in the
/// LibTorch here. Thread-safe. A name this LibTorch lacks is left out.
void register_meta_kernels();

} // namespace inspector
