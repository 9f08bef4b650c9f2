// What a tensor's layout says of the memory it takes: elements, bytes, and what torch can tell of self-overlap.
#pragma once

#include <cstdint>
#include <vector>

#include "core/operators/infer.h"

namespace inspector {

/// Product of the sizes; INT64_MAX where it does not fit.
[[nodiscard]] std::int64_t element_count(const std::vector<std::int64_t>& sizes);
/// One past the last element of its storage that the view covers, counted in elements from the storage's start;
/// 0 for a tensor without elements, INT64_MAX where it does not fit.
[[nodiscard]] std::int64_t end_element(const TensorLayout& layout);
/// Bytes of the storage up to the last one the view covers; INT64_MAX where it does not fit.
[[nodiscard]] std::int64_t end_byte(const TensorLayout& layout);
/// Strides of a tensor whose elements follow one another, last dimension first.
[[nodiscard]] std::vector<std::int64_t> contiguous_strides(const std::vector<std::int64_t>& sizes);
/// Its strides are contiguous_strides() of its sizes, those of dimensions of size 1 too; stricter than Tensor.is_contiguous().
[[nodiscard]] bool has_contiguous_strides(const TensorLayout& layout);
/// Every element between the first and the last is covered once (Tensor.is_non_overlapping_and_dense).
[[nodiscard]] bool is_dense(const TensorLayout& layout);

/// Answer of torch's probe whether different indices of one tensor name one element.
enum class SelfOverlap : std::uint8_t { no, yes, too_hard };
/// As at::has_internal_overlap decides (torch._debug_has_internal_overlap): dense tensors do not, expanded dimensions do,
/// everything else is too hard for it. region.h's overlaps_itself decides exactly.
[[nodiscard]] SelfOverlap probe_self_overlap(const TensorLayout& layout);

} // namespace inspector
