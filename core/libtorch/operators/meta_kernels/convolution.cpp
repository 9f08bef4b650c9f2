// Convolutions of one to three spatial dimensions, forward and backward.
#include "core/libtorch/operators/meta_kernels/layouts.h"

namespace inspector::meta_kernels {
namespace {

/// A setting given once for all spatial dimensions, or for each.
std::int64_t at_dim(const Sizes& setting, std::size_t dim) {
    TORCH_CHECK(setting.size() == 1 || dim < setting.size(), "a convolution's setting is missing for dimension ", dim);
    return setting.size() == 1 ? setting[0] : setting[dim];
}

Sizes output_sizes(const MetaCall& call, const at::Tensor& input, const at::Tensor& weight) {
    const Sizes stride = call.integers("stride"), padding = call.integers("padding"), dilation = call.integers("dilation");
    const Sizes output_padding = call.integers("output_padding");
    const bool transposed = call.flag("transposed");
    const std::int64_t groups = call.integer("groups");
    TORCH_CHECK(weight.dim() >= 3 && weight.dim() <= 5 && (input.dim() == weight.dim()), "Expected ", weight.dim(),
                "-dimensional input for ", weight.dim(), "-dimensional weight, but got input of size ", input.sizes());
    TORCH_CHECK(groups > 0, "non-positive groups is not supported");
    const std::int64_t channels = transposed ? weight.size(0) : weight.size(1) * groups;
    TORCH_CHECK(input.size(1) == channels, "Given groups=", groups, ", weight of size ", weight.sizes(), ", expected input",
                input.sizes(), " to have ", channels, " channels, but got ", input.size(1), " channels instead");

    Sizes sizes{input.size(0), transposed ? weight.size(1) * groups : weight.size(0)};
    for (std::int64_t i = 2; i < input.dim(); ++i) {
        const auto dim = static_cast<std::size_t>(i - 2);
        const std::int64_t step = at_dim(stride, dim), kernel = at_dim(dilation, dim) * (weight.size(i) - 1) + 1;
        TORCH_CHECK(step > 0, "non-positive stride is not supported");
        const std::int64_t pad = 2 * at_dim(padding, dim);
        if (transposed) {
            sizes.push_back((input.size(i) - 1) * step - pad + kernel + at_dim(output_padding, dim));
        } else {
            TORCH_CHECK(input.size(i) + pad >= kernel, "Calculated padded input size per channel: ", input.size(i) + pad,
                        ". Kernel size: ", kernel, ". Kernel size can't be greater than actual input size");
            sizes.push_back((input.size(i) + pad - kernel) / step + 1);
        }
    }
    return sizes;
}

/// CPU kernels answer in channels-last where input or weight is; in three dimensions only MKL-DNN's, which takes no
/// double. One-dimensional convolutions run as images of height 1, made from a contiguous input.
c10::MemoryFormat convolution_format(const at::Tensor& input, const at::Tensor& weight) {
    const auto wanted = [&](c10::MemoryFormat format) {
        return memory_format_of(input) == format || memory_format_of(weight) == format;
    };
    if (weight.dim() == 3) return memory_format_of(weight.unsqueeze(2));
    if (weight.dim() == 4 && wanted(c10::MemoryFormat::ChannelsLast)) return c10::MemoryFormat::ChannelsLast;
    if (weight.dim() == 5 && input.scalar_type() != c10::kDouble && wanted(c10::MemoryFormat::ChannelsLast3d))
        return c10::MemoryFormat::ChannelsLast3d;
    return c10::MemoryFormat::Contiguous;
}

at::Tensor empty_in(c10::MemoryFormat format, c10::IntArrayRef sizes, const at::Tensor& like) {
    if (sizes.size() != 3) return empty(sizes, like, format);
    return empty({sizes[0], sizes[1], 1, sizes[2]}, like, format).squeeze(2);
}

Results convolution(const MetaCall& call) {
    const at::Tensor& input = call.tensor("input");
    const at::Tensor& weight = call.tensor("weight");
    TORCH_CHECK(input.scalar_type() == weight.scalar_type(), "Input type (", input.scalar_type(), ") and weight type (",
                weight.scalar_type(), ") should be the same");
    return {empty_in(convolution_format(input, weight), output_sizes(call, input, weight), input)};
}

Results convolution_backward(const MetaCall& call) {
    const at::Tensor& gradient = call.tensor("grad_output");
    const at::Tensor& input = call.tensor("input");
    const at::Tensor& weight = call.tensor("weight");
    const c10::MemoryFormat format = convolution_format(input, weight);
    const std::vector<bool> wanted = call.flags("output_mask");
    return {wanted[0] ? empty_in(format, input.sizes(), gradient) : at::Tensor(),
            wanted[1] ? empty_in(format, weight.sizes(), gradient) : at::Tensor(),
            wanted[2] ? empty(call.integers("bias_sizes"), gradient) : at::Tensor()};
}

constexpr Kernel kernels[] = {
    {"_convolution", convolution},
    {"convolution", convolution},
    {"convolution_backward", convolution_backward},
};

} // namespace

std::span<const Kernel> convolution_kernels() { return kernels; }

} // namespace inspector::meta_kernels
