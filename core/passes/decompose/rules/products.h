// Products that several families are made of.
#pragma once

#include "core/passes/decompose/rule.h"

namespace inspector::decomposition {

/// torch.matmul(a, b): vectors are rows or columns, leading dimensions broadcast.
Tensor matrix_product(Call& call, const Tensor& a, const Tensor& b);

/// softmax of the last dimension, 0 in rows that are -inf throughout (aten::_safe_softmax).
Tensor safe_softmax(Call& call, const Tensor& x, std::int64_t dim);
/// log(sum(exp(x))), shifted by the largest.
Tensor log_sum_exp(Call& call, const Tensor& x, const std::vector<std::int64_t>& dims, bool keep);

} // namespace inspector::decomposition
