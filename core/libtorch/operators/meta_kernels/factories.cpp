// Tensors made of numbers alone.
#include <algorithm>

#include <ATen/ops/empty.h>

#include "core/libtorch/operators/meta_kernels/layouts.h"

namespace inspector::meta_kernels {
namespace {

at::TensorOptions options(c10::ScalarType dtype) { return at::TensorOptions().device(c10::kMeta).dtype(dtype); }

/// Cells on and below the diagonal `offset` of a row × col matrix.
std::int64_t lower_triangle_cells(std::int64_t row, std::int64_t col, std::int64_t offset) {
    if (row == 0 || col == 0) return 0;
    // The first row has `first` cells; each next one more, until all `col`.
    const std::int64_t first = offset > 0 ? std::min(col, 1 + offset) : (row + offset > 0 ? 1 : 0);
    const std::int64_t last = std::clamp<std::int64_t>(row + offset, 0, col);
    const std::int64_t all_rows = std::clamp<std::int64_t>(row + offset, 0, row);
    const std::int64_t growing_rows = last - first + 1;
    std::int64_t cells = (first + last) * growing_rows / 2;
    if (all_rows > growing_rows) cells += (all_rows - growing_rows) * col;
    return cells;
}

Results triangle_indices(const MetaCall& call, bool lower) {
    const std::int64_t row = call.integer("row"), col = call.integer("col"), offset = call.integer("offset");
    constexpr std::int64_t limit = std::int64_t{1} << 31; // products stay in range
    TORCH_CHECK(row >= 0 && col >= 0, "row and col must be non-negative, got ", row, " and ", col);
    TORCH_CHECK(row < limit && col < limit && std::abs(offset) < limit, "row, col or offset is too large");
    const std::int64_t below = lower ? lower_triangle_cells(row, col, offset)
                                     : row * col - lower_triangle_cells(row, col, offset - 1);
    return {at::empty({2, below}, options(call.dtype().value_or(c10::kLong)))};
}
Results lower_triangle_indices(const MetaCall& call) { return triangle_indices(call, true); }
Results upper_triangle_indices(const MetaCall& call) { return triangle_indices(call, false); }

/// Steps between two ends, one or both of which are tensors: their values are not needed.
Results steps(const MetaCall& call) {
    return {at::empty({call.integer("steps")}, options(call.dtype().value_or(c10::get_default_dtype_as_scalartype())))};
}

Results permutation(const MetaCall& call) { return {at::empty({call.integer("n")}, options(c10::kLong))}; }

constexpr Kernel kernels[] = {
    {"linspace.Scalar_Tensor", steps},
    {"linspace.Tensor_Scalar", steps},
    {"linspace.Tensor_Tensor", steps},
    {"logspace.Scalar_Tensor", steps},
    {"logspace.Tensor_Scalar", steps},
    {"logspace.Tensor_Tensor", steps},
    {"randperm.generator_out", permutation},
    {"tril_indices", lower_triangle_indices},
    {"triu_indices", upper_triangle_indices},
};

} // namespace

std::span<const Kernel> factory_kernels() { return kernels; }

} // namespace inspector::meta_kernels
