// Pooling.
#include <array>

#include "core/passes/decompose/rule.h"

namespace inspector::decomposition {
namespace {

Values max_pool(Call& call, const char* with_indices) {
    return call.give(call.item(call(with_indices, call.tensor("self"), call.argument("kernel_size"), call.argument("stride"),
                                    call.argument("padding"), call.argument("dilation"), call.argument("ceil_mode")), 0));
}

Values max_pool2d(Call& call) { return max_pool(call, "max_pool2d_with_indices.default"); }
Values max_pool3d(Call& call) { return max_pool(call, "max_pool3d_with_indices.default"); }

/// Of one cell it is the mean of all, which is how the kernels of torch do it too.
Values adaptive_avg_pool(Call& call, std::size_t dims, const char* target) {
    const Tensor x = call.tensor("self");
    const std::vector<Argument> sizes = call.items("output_size");
    bool is_one = sizes.size() == dims;
    for (const Argument& size : sizes) is_one = is_one && call.size_value(size) == SymbolicSize(1);
    if (!is_one) return call.give(call(target, x, call.argument("output_size")));
    std::vector<std::int64_t> last;
    for (std::size_t i = 0; i < dims; ++i) last.push_back(-1 - static_cast<std::int64_t>(i));
    return call.give(call("mean.dim", x, list(last), true));
}

Values adaptive_avg_pool2d(Call& call) { return adaptive_avg_pool(call, 2, "_adaptive_avg_pool2d.default"); }
Values adaptive_avg_pool3d(Call& call) { return adaptive_avg_pool(call, 3, "_adaptive_avg_pool3d.default"); }

constexpr std::array rules{
    Rule{"aten.max_pool2d.default", "max_pool2d_with_indices(…)[0]", &max_pool2d},
    Rule{"aten.max_pool3d.default", "max_pool3d_with_indices(…)[0]", &max_pool3d},
    Rule{"aten.adaptive_avg_pool2d.default", "_adaptive_avg_pool2d, or the mean of all", &adaptive_avg_pool2d},
    Rule{"aten.adaptive_avg_pool3d.default", "_adaptive_avg_pool3d, or the mean of all", &adaptive_avg_pool3d},
};

} // namespace

std::span<const Rule> pooling_rules() { return rules; }

} // namespace inspector::decomposition
