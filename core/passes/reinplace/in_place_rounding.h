// Operators whose in-place kernels of LibTorch give other last bits than the functional ones, though they read and write
// the same memory. Found by running every operator that has an in-place form both ways (test_in_place_operators).
#pragma once

#include <functional>
#include <string_view>

#include "core/graph/dtype.h"
#include "core/graph/graph.h"
#include "core/operators/operator_schema.h"

namespace inspector {

/// Why `op`, called as `node` does with a result of type `dtype`, rounds otherwise in place: a clause. Empty where it gives
/// the same bits. `is_vectorised`: every tensor operand is contiguous and of the result's sizes; asked only where that counts.
[[nodiscard]] std::string_view why_rounds_otherwise(const Operator& op, const Node& node, DType dtype,
                                                    const std::function<bool()>& is_vectorised);

} // namespace inspector
