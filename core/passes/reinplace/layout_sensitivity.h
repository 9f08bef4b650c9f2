// Whether the bits an operator computes depend on how its operands lie in memory.
#pragma once

#include <cstdint>

#include "core/graph/graph.h"
#include "core/operators/infer.h"
#include "core/operators/operator_schema.h"

namespace inspector {

/// Same sizes, and the same strides of dimensions above 1.
[[nodiscard]] bool same_strides(const TensorLayout& a, const TensorLayout& b);

/// `node`, a call of `op`, computes the same bits when an operand of type `operand` lies `shift_bytes` further on in its
/// storage, with the same strides or with others. Known of kernels, not of schemas: matrix products choose their code by the address,
/// vectorised functions and sums by the strides; what moves data, or rounds each element exactly, does neither.
[[nodiscard]] bool gives_same_bits(const Operator& op, const Node& node, DType operand, bool keeps_strides,
                                   std::int64_t shift_bytes);

/// Its kernel copies the first operand into the result and goes on from there: however that operand lies, the bits are
/// the same (addmm, index_add, scatter…).
[[nodiscard]] bool starts_from_copy(const Operator& op);

} // namespace inspector
