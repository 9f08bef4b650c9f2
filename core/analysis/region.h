// Which cells of a storage a view covers, and whether two views share one: decided exactly, without enumeration.
//
//     offset 1, sizes {3, 2}, strides {4, 1}:   . X X . X... = cells 1 2 5 6 9 10
//
// Sharing a cell is a linear equation with bounded unknowns, one per dimension:
//
//     offset_a + Σ stride_i·x_i = offset_b + Σ stride_j·y_j,   0 ≤ x_i < size_i,  0 ≤ y_j < size_j
//
// which is solved by merging dimensions, greatest common divisors and a search over the largest stride first. Its
// cost depends on the number of dimensions and how they nest, not on the number of cells.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/operators/infer.h"

namespace inspector {

/// Sizes and strides of one dimension. Strides may be zero or negative.
struct RegionDimension {
    std::int64_t size = 1;
    std::int64_t stride = 0;
    friend bool operator==(const RegionDimension&, const RegionDimension&) = default;
};

/// Bytes covered by a strided view: `element_size` bytes at offset + Σ index·stride, all counted in bytes, so that views
/// of one storage with different dtypes (view.dtype, view_as_real) compare.
class Region {
public:
    /// `offset` and `strides` count elements of `element_size` bytes. Sizes must not be negative, and the last byte must
    /// lie within int64 (see is_representable).
    static Region of_view(std::int64_t offset, const std::vector<std::int64_t>& sizes,
                          const std::vector<std::int64_t>& strides, std::int64_t element_size);
    /// Whether of_view's arithmetic stays within int64 for these numbers.
    static bool is_representable(std::int64_t offset, const std::vector<std::int64_t>& sizes,
                                 const std::vector<std::int64_t>& strides, std::int64_t element_size);

    [[nodiscard]] bool is_empty() const { return empty_; }          ///< some size is 0: covers nothing
    [[nodiscard]] std::int64_t first_byte() const { return begin_; } ///< meaningless when empty
    [[nodiscard]] std::int64_t end_byte() const { return end_; }     ///< one past the last
    /// Dimensions in bytes, strides positive and ascending, sizes above 1, adjacent ones merged. Two regions whose
    /// canonical dimensions and first bytes agree cover the same bytes.
    [[nodiscard]] const std::vector<RegionDimension>& dimensions() const { return dimensions_; }

private:
    std::int64_t begin_ = 0;
    std::int64_t end_ = 0;
    bool empty_ = false;
    std::vector<RegionDimension> dimensions_;
};

/// `unknown` only where the bounded search gave up; it must be taken for `yes` by whoever relies on disjointness.
enum class Overlap : std::uint8_t { no, yes, unknown };

/// Of a tensor, in its storage; nullopt where its numbers are not representable.
[[nodiscard]] std::optional<Region> region_of(const TensorLayout& layout);
/// Whether two regions of one storage share a byte.
[[nodiscard]] Overlap overlaps(const Region& a, const Region& b);
/// Whether two different indices of the view name the same byte. Expanded dimensions (stride 0, size above 1) do.
/// Takes the view's own numbers, since a Region has forgotten which index is which.
[[nodiscard]] Overlap overlaps_itself(const std::vector<std::int64_t>& sizes, const std::vector<std::int64_t>& strides);
/// Whether both cover exactly the same bytes. False where canonical forms differ, even if the bytes happen to agree.
[[nodiscard]] bool covers_same_bytes(const Region& a, const Region& b);
/// Whether every byte of `inner` is surely one of `outer`: equal, or inside an outer without gaps. False also means
/// "not decided".
[[nodiscard]] bool surely_inside(const Region& inner, const Region& outer);

} // namespace inspector
