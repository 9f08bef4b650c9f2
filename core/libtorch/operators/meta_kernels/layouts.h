// Making the tensors that rules return.
#pragma once

#include <ATen/core/Tensor.h>

#include "core/libtorch/operators/meta_kernels/meta_call.h"

namespace inspector::meta_kernels {

/// Contiguous, of `like`'s type unless `dtype` is given.
[[nodiscard]] at::Tensor empty(c10::IntArrayRef sizes, const at::Tensor& like);
[[nodiscard]] at::Tensor empty(c10::IntArrayRef sizes, const at::Tensor& like, c10::ScalarType dtype);
[[nodiscard]] at::Tensor empty(c10::IntArrayRef sizes, const at::Tensor& like, c10::MemoryFormat format);
/// In the order of `like`'s strides, without its gaps.
[[nodiscard]] at::Tensor dense_like(const at::Tensor& like);
[[nodiscard]] at::Tensor dense_like(const at::Tensor& like, c10::ScalarType dtype);
/// `like`'s sizes, contiguous.
[[nodiscard]] at::Tensor contiguous_like(const at::Tensor& like);
/// Contiguous matrices stored column by column, as LAPACK returns them.
[[nodiscard]] at::Tensor empty_column_major(c10::IntArrayRef sizes, const at::Tensor& like, c10::ScalarType dtype);

/// The inputs broadcast, in the order of strides that elementwise kernels choose.
[[nodiscard]] at::Tensor elementwise(c10::ScalarType dtype, std::initializer_list<at::Tensor> inputs);
/// The default float type for integers, else the type itself.
[[nodiscard]] c10::ScalarType float_type(c10::ScalarType type);

/// Dimensions a reduction runs over, wrapped; all where `dims` is empty. Refuses duplicates.
[[nodiscard]] std::vector<bool> reduced_dims(std::int64_t rank, const Sizes& dims);
[[nodiscard]] Sizes reduced_sizes(const at::Tensor& self, const Sizes& dims, bool keepdim);
/// 0 ≤ dim < max(rank, 1), counting negative ones from the end.
[[nodiscard]] std::int64_t wrap(std::int64_t dim, std::int64_t rank);

/// The channels-last format of the tensor's rank where its strides are that, else contiguous.
[[nodiscard]] c10::MemoryFormat memory_format_of(const at::Tensor& tensor);

} // namespace inspector::meta_kernels
