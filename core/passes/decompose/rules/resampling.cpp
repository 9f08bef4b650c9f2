// Images and signals of another size.
#include <array>

#include "core/passes/decompose/rule.h"

namespace inspector::decomposition {
namespace {

/// The two-dimensional operator is told the sizes, or the scales where those were given.
Values nearest2d(Call& call) {
    const bool has_scales = call.is_given("scales_h") && call.is_given("scales_w");
    const Argument scales = list(std::vector<Argument>{call.argument("scales_h"), call.argument("scales_w")});
    return call.give(call("upsample_nearest2d.vec", call.tensor("self"), has_scales ? Argument(None{}) : call.argument("output_size"),
                          has_scales ? scales : Argument(None{})));
}

Values bilinear2d(Call& call) {
    const bool has_scales = call.is_given("scales_h") && call.is_given("scales_w");
    const Argument scales = list(std::vector<Argument>{call.argument("scales_h"), call.argument("scales_w")});
    return call.give(call("upsample_bilinear2d.vec", call.tensor("self"), has_scales ? Argument(None{}) : call.argument("output_size"),
                          call.argument("align_corners"), has_scales ? scales : Argument(None{})));
}

/// A signal as an image of one row.
Tensor as_row(Call& call, const Tensor& x) { return call.unsqueeze(x, -2); }

Argument row_sizes(Call& call) {
    std::vector<Argument> sizes = call.items("output_size");
    sizes.insert(sizes.begin(), std::int64_t{1});
    return list(std::move(sizes));
}

Values nearest1d(Call& call) {
    const bool has_scale = call.is_given("scales");
    const Argument scales = has_scale ? list(std::vector<Argument>{1.0, call.argument("scales")}) : Argument(None{});
    const Tensor made = call("upsample_nearest2d.vec", as_row(call, call.tensor("self")), has_scale ? Argument(None{}) : row_sizes(call), scales);
    return call.give(call.squeeze(made, -2));
}

Values linear1d(Call& call) {
    const bool has_scale = call.is_given("scales");
    const Argument scales = has_scale ? list(std::vector<Argument>{1.0, call.argument("scales")}) : Argument(None{});
    const Tensor made = call("upsample_bilinear2d.vec", as_row(call, call.tensor("self")), has_scale ? Argument(None{}) : row_sizes(call),
                             call.argument("align_corners"), scales);
    return call.give(call.squeeze(made, -2));
}

/// Reads each dimension at the places nearest to the new ones: floor((i + shift) * scale).
Values nearest(Call& call, const std::vector<const char*>& scales, double shift) {
    Tensor x = call.tensor("self");
    const std::vector<std::int64_t> sizes = call.integers("output_size");
    if (sizes.size() != scales.size()) return call.decline("it has not one size for each dimension");
    for (std::size_t i = 0; i < sizes.size() && !call.has_trouble(); ++i) {
        const std::int64_t dim = x.rank() - static_cast<std::int64_t>(sizes.size() - i);
        const auto size = x.constant_size(dim);
        if (!size) return call.decline("a size it reads is no constant");
        const bool is_given = call.is_given(scales[i]);
        const float step = is_given ? static_cast<float>(1 / call.number(scales[i]))
                                    : static_cast<float>(*size) / static_cast<float>(sizes[i]);
        Tensor places = call.arange(sizes[i], DType::f32, x);
        if (shift != 0) places = places + shift;
        places = call("floor.default", places * static_cast<double>(step)).to(DType::i64);
        x = call("index_select.default", x, dim, call("clamp.default", places, std::int64_t{0}, *size - 1));
    }
    return call.give(x);
}

Values nearest3d(Call& call) { return nearest(call, {"scales_d", "scales_h", "scales_w"}, 0); }
Values nearest_exact1d(Call& call) { return nearest(call, {"scales"}, 0.5); }
Values nearest_exact2d(Call& call) { return nearest(call, {"scales_h", "scales_w"}, 0.5); }
Values nearest_exact3d(Call& call) { return nearest(call, {"scales_d", "scales_h", "scales_w"}, 0.5); }

constexpr std::array rules{
    Rule{"aten.upsample_nearest1d.default", "upsample_nearest2d of one row", &nearest1d},
    Rule{"aten.upsample_nearest2d.default", "upsample_nearest2d by sizes, or scales", &nearest2d},
    Rule{"aten.upsample_nearest3d.default", "index_select at floor(i * scale)", &nearest3d},
    Rule{"aten._upsample_nearest_exact1d.default", "index_select at floor((i + 0.5) * scale)", &nearest_exact1d},
    Rule{"aten._upsample_nearest_exact2d.default", "index_select at floor((i + 0.5) * scale)", &nearest_exact2d},
    Rule{"aten._upsample_nearest_exact3d.default", "index_select at floor((i + 0.5) * scale)", &nearest_exact3d},
    Rule{"aten.upsample_linear1d.default", "upsample_bilinear2d of one row", &linear1d},
    Rule{"aten.upsample_bilinear2d.default", "upsample_bilinear2d by sizes, or scales", &bilinear2d},
};

} // namespace

std::span<const Rule> resampling_rules() { return rules; }

} // namespace inspector::decomposition
