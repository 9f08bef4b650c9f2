// Whether Inductor thinks that two views of one storage may share memory.
#pragma once

#include "core/operators/infer.h"

namespace inspector {

/// As torch 2.13 decides it (compute_overlapping_tensors). It counts elements, whatever their size; it knows contiguous
/// tensors, tensors that lie one behind the other, and matrices of the same row length; all else it takes to overlap.
/// The truth is in core/analysis/region.h.
[[nodiscard]] bool possibly_overlap(const TensorLayout& a, const TensorLayout& b);

/// Whether they do share a byte; true where that cannot be told.
[[nodiscard]] bool really_overlap(const TensorLayout& a, const TensorLayout& b);

} // namespace inspector
