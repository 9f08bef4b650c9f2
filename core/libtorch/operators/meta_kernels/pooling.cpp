// Windows over images and volumes: pooling, padding, sampling, and taking windows apart.
#include "core/libtorch/operators/meta_kernels/layouts.h"

namespace inspector::meta_kernels {
namespace {

std::int64_t at_dim(const Sizes& setting, std::size_t dim) {
    TORCH_CHECK(setting.size() == 1 || dim < setting.size(), "a window's setting is missing for dimension ", dim);
    return setting.size() == 1 ? setting[0] : setting[dim];
}

/// self's sizes with the last `spatial.size()` replaced.
Sizes with_spatial(const at::Tensor& self, const Sizes& spatial) {
    const auto rank = static_cast<std::int64_t>(spatial.size());
    TORCH_CHECK(self.dim() == rank + 1 || self.dim() == rank + 2, "Expected ", rank + 1, "D or ", rank + 2, "D input, but got ",
                self.sizes());
    Sizes sizes = self.sizes().vec();
    std::copy(spatial.begin(), spatial.end(), sizes.end() - rank);
    return sizes;
}

/// Channels-last where a batch of images or volumes is; a single one has no such format.
c10::MemoryFormat batched_format(const at::Tensor& self, std::size_t spatial_dims) {
    return static_cast<std::size_t>(self.dim()) == spatial_dims + 2 ? memory_format_of(self) : c10::MemoryFormat::Contiguous;
}

Results adaptive_average(const MetaCall& call) {
    const at::Tensor& self = call.self();
    const Sizes spatial = call.integers("output_size");
    // In three dimensions the kernel makes its input contiguous first.
    const auto format = spatial.size() == 2 ? batched_format(self, 2) : c10::MemoryFormat::Contiguous;
    return {empty(with_spatial(self, spatial), self, format)};
}
Results adaptive_average2d_backward(const MetaCall& call) {
    return {empty(call.self().sizes(), call.self(), batched_format(call.self(), 2))};
}
Results volume_backward(const MetaCall& call) {
    return {empty(call.self().sizes(), call.self(), batched_format(call.self(), 3))};
}
Results contiguous_self(const MetaCall& call) { return {contiguous_like(call.self())}; }

/// Windows of dilated size `kernel` that fit into a padded length; with ceil_mode one more that starts inside.
std::int64_t window_count(std::int64_t length, std::int64_t kernel, std::int64_t padding, std::int64_t stride, bool ceil_mode) {
    TORCH_CHECK(stride > 0, "stride should not be zero");
    const std::int64_t room = length + 2 * padding - kernel;
    std::int64_t count = (room + (ceil_mode ? stride - 1 : 0)) / stride + 1;
    if (room < 0 && !ceil_mode) count = 0;
    if (ceil_mode && (count - 1) * stride >= length + padding) --count;
    TORCH_CHECK(count > 0, "the output would be too small");
    return count;
}

Results max_pool3d(const MetaCall& call) {
    const at::Tensor& self = call.self();
    const Sizes kernel = call.integers("kernel_size"), padding = call.integers("padding"), dilation = call.integers("dilation");
    Sizes stride = call.integers("stride");
    if (stride.empty()) stride = kernel;
    TORCH_CHECK(self.dim() == 4 || self.dim() == 5, "non-empty 4D or 5D (batch mode) tensor expected for input");
    Sizes spatial;
    for (std::size_t i = 0; i < 3; ++i)
        spatial.push_back(window_count(self.size(static_cast<std::int64_t>(i) - 3), at_dim(dilation, i) * (at_dim(kernel, i) - 1) + 1,
                                       at_dim(padding, i), at_dim(stride, i), call.flag("ceil_mode")));
    const Sizes sizes = with_spatial(self, spatial);
    const at::Tensor output = empty(sizes, self, batched_format(self, 3));
    return {output, dense_like(output, c10::kLong)};
}

Results max_unpool(const MetaCall& call) {
    const at::Tensor& self = call.self();
    TORCH_CHECK(self.sizes() == call.tensor("indices").sizes(), "Expected shape of indices to be same as that of the input tensor");
    return {empty(with_spatial(self, call.integers("output_size")), self)};
}
/// padding: left, right, top, bottom.
Results reflection_pad2d(const MetaCall& call) {
    const at::Tensor& self = call.self();
    const Sizes padding = call.integers("padding");
    TORCH_CHECK(padding.size() == 4, "padding size is expected to be 4");
    const Sizes sizes = with_spatial(self, {self.size(-2) + padding[2] + padding[3], self.size(-1) + padding[0] + padding[1]});
    TORCH_CHECK(padding[0] < self.size(-1) && padding[1] < self.size(-1) && padding[2] < self.size(-2) && padding[3] < self.size(-2),
                "Padding size should be less than the corresponding input dimension, but got: padding ", padding, " of input ",
                self.sizes());
    return {empty(sizes, self, batched_format(self, 2))};
}

std::int64_t sliding_blocks(std::int64_t length, const MetaCall& call, std::size_t dim) {
    const std::int64_t kernel = at_dim(call.integers("dilation"), dim) * (at_dim(call.integers("kernel_size"), dim) - 1) + 1;
    const std::int64_t stride = at_dim(call.integers("stride"), dim);
    TORCH_CHECK(stride > 0, "stride should be greater than zero");
    return (length + 2 * at_dim(call.integers("padding"), dim) - kernel) / stride + 1;
}

/// [N, C, H, W] → [N, C · kernel cells, blocks]; N may be missing.
Results im2col(const MetaCall& call) {
    const at::Tensor& self = call.self();
    TORCH_CHECK(self.dim() == 3 || self.dim() == 4, "Expected 3D or 4D (batch mode) tensor for input, but got ", self.sizes());
    const Sizes kernel = call.integers("kernel_size");
    const std::int64_t rows = self.size(-3) * at_dim(kernel, 0) * at_dim(kernel, 1);
    const std::int64_t blocks = sliding_blocks(self.size(-2), call, 0) * sliding_blocks(self.size(-1), call, 1);
    TORCH_CHECK(blocks > 0, "the array of sliding blocks would be empty");
    return {self.dim() == 4 ? empty({self.size(0), rows, blocks}, self) : empty({rows, blocks}, self)};
}

/// The way back: [N, C · kernel cells, blocks] → [N, C, output_size].
Results col2im(const MetaCall& call) {
    const at::Tensor& self = call.self();
    const Sizes kernel = call.integers("kernel_size"), size = call.integers("output_size");
    const std::int64_t cells = at_dim(kernel, 0) * at_dim(kernel, 1);
    TORCH_CHECK(self.dim() == 2 || self.dim() == 3, "Expected 2D or 3D (batch mode) tensor for input, but got ", self.sizes());
    TORCH_CHECK(cells > 0 && self.size(-2) % cells == 0, "Expected size of input's dimension 1 to be divisible by the product of kernel_size");
    const std::int64_t channels = self.size(-2) / cells;
    return {self.dim() == 3 ? empty({self.size(0), channels, at_dim(size, 0), at_dim(size, 1)}, self)
                            : empty({channels, at_dim(size, 0), at_dim(size, 1)}, self)};
}

/// input [N, C, …], grid [N, output…, number of spatial dimensions].
Results grid_sampler(const MetaCall& call) {
    const at::Tensor& input = call.tensor("input");
    const at::Tensor& grid = call.tensor("grid");
    TORCH_CHECK(input.dim() == grid.dim() && input.size(0) == grid.size(0) && grid.size(-1) == input.dim() - 2,
                "grid_sampler(): expected grid and input to have same batch size and rank, but got input with sizes ",
                input.sizes(), " and grid with sizes ", grid.sizes());
    Sizes sizes{input.size(0), input.size(1)};
    for (std::int64_t i = 1; i + 1 < grid.dim(); ++i) sizes.push_back(grid.size(i));
    return {empty(sizes, input)};
}
Results grid_sampler_backward(const MetaCall& call) {
    const at::Tensor& input = call.tensor("input");
    return {call.flags("output_mask")[0] ? contiguous_like(input) : at::Tensor(), contiguous_like(call.tensor("grid"))};
}

constexpr Kernel kernels[] = {
    {"_adaptive_avg_pool2d", adaptive_average},
    {"_adaptive_avg_pool2d_backward", adaptive_average2d_backward},
    {"_adaptive_avg_pool3d", adaptive_average},
    {"_adaptive_avg_pool3d_backward", contiguous_self},
    {"adaptive_avg_pool2d.out", adaptive_average},
    {"adaptive_avg_pool3d.out", adaptive_average},
    {"adaptive_avg_pool3d_backward.grad_input", contiguous_self},
    {"col2im", col2im},
    {"col2im.out", col2im},
    {"fractional_max_pool3d_backward", contiguous_self},
    {"fractional_max_pool3d_backward.grad_input", contiguous_self},
    {"grid_sampler_2d", grid_sampler},
    {"grid_sampler_2d_backward", grid_sampler_backward},
    {"grid_sampler_3d", grid_sampler},
    {"grid_sampler_3d_backward", grid_sampler_backward},
    {"im2col", im2col},
    {"im2col.out", im2col},
    {"max_pool3d_with_indices", max_pool3d},
    {"max_pool3d_with_indices.out", max_pool3d},
    {"max_pool3d_with_indices_backward", volume_backward},
    {"max_pool3d_with_indices_backward.grad_input", volume_backward},
    {"max_unpool2d", max_unpool},
    {"max_unpool2d.out", max_unpool},
    {"max_unpool3d", max_unpool},
    {"max_unpool3d.out", max_unpool},
    {"reflection_pad2d", reflection_pad2d},
    {"reflection_pad2d.out", reflection_pad2d},
    {"reflection_pad2d_backward", contiguous_self},
    {"reflection_pad2d_backward.grad_input", contiguous_self},
    {"replication_pad2d_backward", contiguous_self},
    {"replication_pad2d_backward.grad_input", contiguous_self},
    {"replication_pad3d_backward", contiguous_self},
    {"replication_pad3d_backward.grad_input", contiguous_self},
};

} // namespace

std::span<const Kernel> pooling_kernels() { return kernels; }

} // namespace inspector::meta_kernels
