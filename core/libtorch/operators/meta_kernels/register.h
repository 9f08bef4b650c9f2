// Meta kernels that LibTorch has only in Python: shapes, strides and dtypes of results, as torch 2.13's fake tensors
// give them. Torch-free header.
#pragma once

namespace inspector {

/// Registers with the dispatcher, once per process, every kernel of this folder whose operator has no Meta kernel in the
/// LibTorch here. Thread-safe. A name this LibTorch lacks is left out.
void register_meta_kernels();

} // namespace inspector
