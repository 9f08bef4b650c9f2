#include "core/passes/reinplace/inductor/possible_overlap.h"

#include <optional>
#include <utility>

#include "core/analysis/region.h"
#include "core/analysis/tensor_extent.h"

namespace inspector {
namespace {

bool is_contiguous(const TensorLayout& layout) {
    std::int64_t expected = 1;
    for (std::size_t i = layout.sizes.size(); i-- > 0;) {
        if (layout.sizes[i] == 1) continue;
        if (layout.strides[i] != expected) return false;
        expected *= layout.sizes[i];
    }
    return true;
}

/// One past the last element in memory.
std::int64_t end_of(const TensorLayout& layout) {
    std::int64_t last = layout.storage_offset;
    for (std::size_t i = 0; i < layout.sizes.size(); ++i) last += (layout.sizes[i] - 1) * layout.strides[i];
    return last + 1;
}

bool is_matrix_of_rows(const TensorLayout& layout) { return layout.sizes.size() == 2 && layout.strides[1] == 1; }

} // namespace

bool possibly_overlap(const TensorLayout& a, const TensorLayout& b) {
    if (element_count(a.sizes) == 0 || element_count(b.sizes) == 0) return false;
    const TensorLayout *left = &a, *right = &b;
    if (left->storage_offset > right->storage_offset) std::swap(left, right);
    const std::int64_t distance = right->storage_offset - left->storage_offset;
    if (is_contiguous(*left) && is_contiguous(*right)) return distance < element_count(left->sizes);
    if (end_of(*left) <= right->storage_offset) return false;
    if (!is_matrix_of_rows(*left) || !is_matrix_of_rows(*right) || left->strides[0] != right->strides[0]) return true;
    const std::int64_t row = left->strides[0];
    if (distance < left->sizes[1]) return true;
    if (row * (left->sizes[0] - 1) + left->sizes[1] <= distance) return false;
    // Rows of the right one start behind those of the left one, and end before the next ones start.
    const std::int64_t start = row != 0 ? distance % row : 0;
    return start + right->sizes[1] > row;
}

bool really_overlap(const TensorLayout& a, const TensorLayout& b) {
    const auto x = region_of(a), y = region_of(b);
    return !x || !y || overlaps(*x, *y) != Overlap::no;
}

} // namespace inspector
