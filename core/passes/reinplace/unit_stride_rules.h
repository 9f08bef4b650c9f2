// What is known of the strides that CPU kernels give dimensions of size 1. Measured: test_unit_strides runs every operator
// named here, and every pointwise one, on operands laid out at random.
#pragma once

#include "core/operators/operator_schema.h"

namespace inspector {

/// Its result is contiguous in every dimension, however its operands lie (matrix products, reductions, softmax…).
[[nodiscard]] bool is_contiguous_whatever_the_operands(const Operator& op);

/// Its kernel sets all strides as the meta kernel does: views, and operators tagged pointwise but for a few, and those that
/// are listed. Others may, but nobody has looked.
[[nodiscard]] bool follows_meta_kernel(const Operator& op);

/// Its kernel writes into what empty_like of the first operand gives, where its meta kernel does not.
[[nodiscard]] bool lays_out_as_empty_like(const Operator& op);

/// A view whose strides are its base's, or such a stride times a number or size: the same formula for all sizes.
[[nodiscard]] bool keeps_strides_of_base(const Operator& view);

/// A view whose strides are taken as they are given, or times a size: 0 where torch would give a new tensor 1.
[[nodiscard]] bool multiplies_strides_by_sizes(const Operator& view);

/// Its result, or whether it raises, depends on strides.
[[nodiscard]] bool asks_for_strides(const Operator& op);

} // namespace inspector
