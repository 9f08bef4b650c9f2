// Fourier transforms, laid out as MKL's wrapper does: dimensions that are not transformed come first, in the order of
// the input's strides, then those transformed; the result keeps that order in memory.
#include <algorithm>

#include <ATen/ops/empty_strided.h>

#include "core/libtorch/operators/meta_kernels/layouts.h"

namespace inspector::meta_kernels {
namespace {

/// `dims` with those of larger stride first; the order of equal ones stays.
Sizes by_stride(const at::Tensor& self, Sizes dims, std::size_t count) {
    std::stable_sort(dims.begin(), dims.begin() + static_cast<std::ptrdiff_t>(count),
                     [&](std::int64_t a, std::int64_t b) { return self.stride(a) > self.stride(b); });
    return dims;
}

at::Tensor transform(const at::Tensor& input, const Sizes& sizes, const Sizes& dims, c10::ScalarType type) {
    Sizes order;
    for (std::int64_t i = 0; i < input.dim(); ++i)
        if (std::find(dims.begin(), dims.end(), i) == dims.end()) order.push_back(i);
    order = by_stride(input, order, order.size());
    order.insert(order.end(), dims.begin(), dims.end());

    Sizes strides(sizes.size());
    std::int64_t stride = 1;
    for (std::size_t i = order.size(); i-- > 0;) {
        strides[static_cast<std::size_t>(order[i])] = stride;
        stride *= sizes[static_cast<std::size_t>(order[i])];
    }
    return at::empty_strided(sizes, strides, input.options().dtype(type));
}

Sizes wrapped_dims(const MetaCall& call) {
    Sizes dims = call.integers("dim");
    for (std::int64_t& dim : dims) dim = wrap(dim, call.self().dim());
    if (!dims.empty()) (void)reduced_dims(call.self().dim(), dims);
    return dims;
}

at::Tensor complex_to_complex(const at::Tensor& self, const Sizes& dims) {
    TORCH_CHECK(self.is_complex(), "expected a complex tensor");
    if (dims.empty()) return dense_like(self);
    return transform(self, self.sizes().vec(), by_stride(self, dims, dims.size()), self.scalar_type());
}

Results c2c(const MetaCall& call) { return {complex_to_complex(call.self(), wrapped_dims(call))}; }

Results r2c(const MetaCall& call) {
    const at::Tensor& self = call.self();
    TORCH_CHECK(self.is_floating_point(), "expected a floating point tensor");
    const Sizes dims = wrapped_dims(call);
    TORCH_CHECK(!dims.empty(), "expected at least one dimension to transform");
    Sizes sizes = self.sizes().vec();
    auto& last = sizes[static_cast<std::size_t>(dims.back())];
    if (call.flag("onesided")) last = last / 2 + 1;
    return {transform(self, sizes, by_stride(self, dims, dims.size() - 1), c10::toComplexType(self.scalar_type()))};
}

Results c2r(const MetaCall& call) {
    const at::Tensor& self = call.self();
    TORCH_CHECK(self.is_complex(), "expected a complex tensor");
    Sizes dims = wrapped_dims(call);
    TORCH_CHECK(!dims.empty(), "expected at least one dimension to transform");
    const std::int64_t last = dims.back();
    dims.pop_back();
    const at::Tensor input = dims.empty() ? self : complex_to_complex(self, dims);
    Sizes sizes = self.sizes().vec();
    sizes[static_cast<std::size_t>(last)] = call.integer("last_dim_size");
    return {transform(input, sizes, {last}, c10::toRealValueType(self.scalar_type()))};
}

constexpr Kernel kernels[] = {
    {"_fft_c2c", c2c}, {"_fft_c2c.out", c2c}, {"_fft_c2r", c2r},
    {"_fft_c2r.out", c2r}, {"_fft_r2c", r2c}, {"_fft_r2c.out", r2c},
};

} // namespace

std::span<const Kernel> fourier_kernels() { return kernels; }

} // namespace inspector::meta_kernels
