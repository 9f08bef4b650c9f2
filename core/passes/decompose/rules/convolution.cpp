// Convolutions by name.
#include <array>

#include "core/passes/decompose/rule.h"

namespace inspector::decomposition {
namespace {

/// A batch of images of `dims` dimensions; one without batch is left to the operator's kernel.
Values convolve(Call& call, std::size_t dims, bool transposed) {
    const Tensor x = call.tensor("input");
    if (x.rank() != static_cast<std::int64_t>(dims) + 2) return call.decline("its input has no batch");
    const auto each = [&](const char* name) {
        std::vector<Argument> all = call.items(name);
        if (all.size() == 1) all.assign(dims, all.front());
        return list(std::move(all));
    };
    const Argument output_padding = transposed ? each("output_padding") : list(std::vector<std::int64_t>(dims, 0));
    return call.give(call("convolution.default", x, call.argument("weight"), call.argument("bias"), each("stride"), each("padding"),
                          each("dilation"), transposed, output_padding, call.argument("groups")));
}

template <std::size_t dims> Values convolution(Call& call) { return convolve(call, dims, false); }
template <std::size_t dims> Values transposed_convolution(Call& call) { return convolve(call, dims, true); }

constexpr std::array rules{
    Rule{"aten.conv1d.default", "convolution(x, weight, bias, …)", &convolution<1>},
    Rule{"aten.conv2d.default", "convolution(x, weight, bias, …)", &convolution<2>},
    Rule{"aten.conv3d.default", "convolution(x, weight, bias, …)", &convolution<3>},
    Rule{"aten.conv_transpose1d.default", "convolution(x, weight, bias, …, transposed)", &transposed_convolution<1>},
    Rule{"aten.conv_transpose2d.input", "convolution(x, weight, bias, …, transposed)", &transposed_convolution<2>},
    Rule{"aten.conv_transpose3d.input", "convolution(x, weight, bias, …, transposed)", &transposed_convolution<3>},
};

} // namespace

std::span<const Rule> convolution_rules() { return rules; }

} // namespace inspector::decomposition
