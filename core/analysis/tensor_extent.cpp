#include "core/analysis/tensor_extent.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>

namespace inspector {
namespace {

constexpr std::int64_t too_large = std::numeric_limits<std::int64_t>::max();

} // namespace

std::int64_t element_count(const std::vector<std::int64_t>& sizes) {
    if (std::ranges::find(sizes, 0) != sizes.end()) return 0;
    std::int64_t count = 1;
    for (const std::int64_t size : sizes)
        if (__builtin_mul_overflow(count, size, &count)) return too_large;
    return count;
}

std::int64_t end_element(const TensorLayout& layout) {
    if (std::ranges::find(layout.sizes, 0) != layout.sizes.end()) return 0;
    std::int64_t last = layout.storage_offset;
    for (std::size_t i = 0; i < layout.sizes.size() && i < layout.strides.size(); ++i) {
        std::int64_t reach = 0;
        if (__builtin_mul_overflow(layout.sizes[i] - 1, layout.strides[i], &reach) ||
            __builtin_add_overflow(last, std::max<std::int64_t>(reach, 0), &last))
            return too_large;
    }
    return last == too_large ? too_large : last + 1;
}

std::int64_t end_byte(const TensorLayout& layout) {
    std::int64_t bytes = 0;
    return __builtin_mul_overflow(end_element(layout), element_size(layout.dtype), &bytes) ? too_large : bytes;
}

std::vector<std::int64_t> contiguous_strides(const std::vector<std::int64_t>& sizes) {
    std::vector<std::int64_t> strides(sizes.size());
    std::int64_t stride = 1;
    for (std::size_t i = sizes.size(); i-- > 0;) {
        strides[i] = stride;
        if (__builtin_mul_overflow(stride, std::max<std::int64_t>(sizes[i], 1), &stride)) stride = too_large;
    }
    return strides;
}

bool has_contiguous_strides(const TensorLayout& layout) { return layout.strides == contiguous_strides(layout.sizes); }

bool is_dense(const TensorLayout& layout) {
    const auto& sizes = layout.sizes;
    const auto& strides = layout.strides;
    if (element_count(sizes) == 0) return true;
    // Most tensors are contiguous.
    std::int64_t stride = 1;
    std::size_t outer = std::min(sizes.size(), strides.size());
    while (outer > 0 && (sizes[outer - 1] == 1 || strides[outer - 1] == stride)) {
        if (__builtin_mul_overflow(stride, sizes[outer - 1], &stride)) return false;
        --outer;
    }
    if (outer == 0) return true;

    std::vector<std::size_t> order(std::min(sizes.size(), strides.size()));
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::erase_if(order, [&](std::size_t i) { return sizes[i] < 2; });
    std::ranges::sort(order, {}, [&](std::size_t i) { return strides[i]; });
    std::int64_t expected = 1;
    for (const std::size_t i : order) {
        if (strides[i] != expected || __builtin_mul_overflow(expected, sizes[i], &expected)) return false;
    }
    return true;
}

SelfOverlap probe_self_overlap(const TensorLayout& layout) {
    if (is_dense(layout)) return SelfOverlap::no;
    for (std::size_t i = 0; i < layout.sizes.size() && i < layout.strides.size(); ++i)
        if (layout.strides[i] == 0 && layout.sizes[i] > 1) return SelfOverlap::yes;
    return SelfOverlap::too_hard;
}

} // namespace inspector
