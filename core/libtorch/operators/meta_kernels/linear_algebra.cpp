// Products, distances and decompositions. What LAPACK writes comes back stored by columns.
#include <ATen/ExpandUtils.h>

#include "core/libtorch/operators/meta_kernels/layouts.h"

namespace inspector::meta_kernels {
namespace {

void check_square(const at::Tensor& matrices) {
    TORCH_CHECK(matrices.dim() >= 2, "The input tensor must have at least 2 dimensions");
    TORCH_CHECK(matrices.size(-1) == matrices.size(-2), "A must be batches of square matrices, but they are ",
                matrices.size(-2), " by ", matrices.size(-1), " matrices");
}

at::Tensor column_major_like(const at::Tensor& matrices) {
    TORCH_CHECK(matrices.dim() >= 2, "The input tensor must have at least 2 dimensions");
    return empty_column_major(matrices.sizes(), matrices, matrices.scalar_type());
}

Results inner_product(const at::Tensor& a, const at::Tensor& b) {
    TORCH_CHECK(a.dim() == 1 && b.dim() == 1, "1D tensors expected, but got ", a.dim(), "D and ", b.dim(), "D tensors");
    TORCH_CHECK(a.scalar_type() == b.scalar_type(), "expected both vectors to have same dtype, but found ",
                a.scalar_type(), " and ", b.scalar_type());
    TORCH_CHECK(a.numel() == b.numel(), "inconsistent tensor size, expected tensors of same number of elements, but got ",
                a.numel(), " and ", b.numel());
    return {empty({}, a)};
}
Results dot(const MetaCall& call) { return inner_product(call.self(), call.tensor("tensor")); }
Results vdot(const MetaCall& call) { return inner_product(call.self(), call.tensor("other")); }

Results sum_of_products(const MetaCall& call) {
    const at::Tensor& a = call.tensor("batch1");
    const at::Tensor& b = call.tensor("batch2");
    TORCH_CHECK(a.dim() == 3 && b.dim() == 3, "batch1 and batch2 must be 3D tensors");
    TORCH_CHECK(a.size(0) == b.size(0) && a.size(2) == b.size(1), "Incompatible matrix sizes for bmm (", a.sizes(), " and ", b.sizes(), ")");
    return {empty({a.size(1), b.size(2)}, call.self())};
}
Results int8_product(const MetaCall& call) {
    const at::Tensor& a = call.self();
    const at::Tensor& b = call.tensor("mat2");
    TORCH_CHECK(a.dim() == 2 && b.dim() == 2 && a.size(1) == b.size(0), "mat1 and mat2 shapes cannot be multiplied");
    return {empty({a.size(0), b.size(1)}, a, c10::kInt)};
}
Results int8_weight_product(const MetaCall& call) {
    return {empty({call.self().size(0), call.tensor("mat2").size(0)}, call.self())};
}

Sizes broadcast_batch(const at::Tensor& a, const at::Tensor& b) {
    return at::infer_size(a.sizes().slice(0, static_cast<std::size_t>(a.dim() - 2)),
                          b.sizes().slice(0, static_cast<std::size_t>(b.dim() - 2)));
}

Results pairwise_distances(const MetaCall& call) {
    const at::Tensor& a = call.tensor("x1");
    const at::Tensor& b = call.tensor("x2");
    TORCH_CHECK(a.dim() >= 2 && b.dim() >= 2, "cdist only supports at least 2D tensors");
    TORCH_CHECK(a.size(-1) == b.size(-1), "X1 and X2 must have the same number of columns. X1: ", a.size(-1), " X2: ", b.size(-1));
    Sizes sizes = broadcast_batch(a, b);
    sizes.insert(sizes.end(), {a.size(-2), b.size(-2)});
    return {empty(sizes, a)};
}
Results pairwise_distances_backward(const MetaCall& call) {
    const at::Tensor& a = call.tensor("x1");
    const at::Tensor& b = call.tensor("x2");
    Sizes sizes = broadcast_batch(a, b);
    sizes.insert(sizes.end(), {a.size(-2), a.size(-1)});
    const at::Tensor gradient = empty(sizes, a);
    // Nothing to add up: the gradient is zeros of x1's own sizes.
    return {gradient.numel() == 0 || b.size(-2) == 0 ? dense_like(a) : gradient};
}
Results own_distances(const MetaCall& call) {
    const std::int64_t rows = call.self().size(0);
    TORCH_CHECK(rows < std::int64_t{1} << 31, "too many rows");
    return {empty({rows <= 1 ? 0 : rows * (rows - 1) / 2}, call.self())};
}
Results like_self(const MetaCall& call) { return {contiguous_like(call.self())}; }

Results factor(const MetaCall& call) {
    if (call.self().numel() == 0) return {contiguous_like(call.self())};
    check_square(call.self());
    return {column_major_like(call.self())};
}
Results inverse_of_factor(const MetaCall& call) {
    check_square(call.self());
    return {column_major_like(call.self())};
}
Results column_major_self(const MetaCall& call) { return {column_major_like(call.self())}; }
Results column_major_input(const MetaCall& call) { return {column_major_like(call.tensor("input"))}; }
Results column_major_other(const MetaCall& call) { return {column_major_like(call.tensor("input3"))}; }

Results geqrf(const MetaCall& call) {
    const at::Tensor& self = call.self();
    TORCH_CHECK(self.dim() >= 2, "torch.geqrf: input must have at least 2 dimensions");
    Sizes reflectors = self.sizes().vec();
    reflectors.pop_back();
    reflectors.back() = std::min(self.size(-1), self.size(-2));
    return {column_major_like(self), empty(reflectors, self)};
}

Results eigenvalues(const MetaCall& call) {
    const at::Tensor& self = call.self();
    check_square(self);
    return {empty(self.sizes().slice(0, static_cast<std::size_t>(self.dim() - 1)), self,
                  c10::toComplexType(float_type(self.scalar_type())))};
}
Results eigenvectors(const MetaCall& call) {
    const at::Tensor& self = call.self();
    const at::Tensor values = eigenvalues(call).front();
    return {values, empty_column_major(self.sizes(), self, values.scalar_type())};
}

Results matrix_exp(const MetaCall& call) {
    check_square(call.self());
    return {contiguous_like(call.self())};
}

Results solve_triangular(const MetaCall& call) {
    const at::Tensor& a = call.self();
    const at::Tensor& b = call.tensor("B");
    check_square(a);
    TORCH_CHECK(b.dim() >= 2, "linalg.solve_triangular: The input tensor B must have at least 2 dimensions");
    const std::int64_t side = call.flag("left") ? b.size(-2) : b.size(-1);
    TORCH_CHECK(a.size(-1) == side, "linalg.solve_triangular: Incompatible shapes of A and B");
    Sizes sizes = broadcast_batch(a, b);
    sizes.insert(sizes.end(), {b.size(-2), b.size(-1)});
    if (a.transpose(-2, -1).is_contiguous() && a.is_conj()) return {empty(sizes, a)};
    return {empty_column_major(sizes, a, a.scalar_type())};
}

constexpr Kernel kernels[] = {
    {"_cdist_backward", pairwise_distances_backward},
    {"_cdist_forward", pairwise_distances},
    {"_cholesky_solve_helper", column_major_self},
    {"_int_mm", int8_product},
    {"_int_mm.out", int8_product},
    {"_linalg_eigvals", eigenvalues},
    {"_pdist_backward", like_self},
    {"_pdist_forward", own_distances},
    {"_weight_int8pack_mm", int8_weight_product},
    {"addbmm", sum_of_products},
    {"addbmm.out", sum_of_products},
    {"cholesky", factor},
    {"cholesky.out", factor},
    {"cholesky_inverse", inverse_of_factor},
    {"cholesky_inverse.out", inverse_of_factor},
    {"dot", dot},
    {"geqrf", geqrf},
    {"linalg_eig", eigenvectors},
    {"linalg_eigvals.out", eigenvalues},
    {"linalg_householder_product", column_major_input},
    {"linalg_householder_product.out", column_major_input},
    {"linalg_matrix_exp", matrix_exp},
    {"linalg_solve_triangular", solve_triangular},
    {"linalg_solve_triangular.out", solve_triangular},
    {"ormqr", column_major_other},
    {"ormqr.out", column_major_other},
    {"vdot", vdot},
};

} // namespace

std::span<const Kernel> linear_algebra_kernels() { return kernels; }

} // namespace inspector::meta_kernels
