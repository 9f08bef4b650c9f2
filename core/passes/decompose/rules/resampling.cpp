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

/// Where the new places of a dimension lie among the old ones, in f32 as torch computes it.
Tensor source_places(Call& call, const Tensor& x, std::int64_t old_size, std::int64_t new_size, bool align, const char* scale_name) {
    const DType dtype = x.dtype() == DType::f64 ? DType::f64 : DType::f32;
    const Tensor places = call.arange(new_size, dtype, x);
    const auto as_torch = [&](double step) { return dtype == DType::f64 ? step : static_cast<double>(static_cast<float>(step)); };
    if (align) {
        const double step = new_size > 1 ? static_cast<double>(old_size - 1) / static_cast<double>(new_size - 1) : 0;
        return places * as_torch(step);
    }
    const double step = call.is_given(scale_name) ? 1 / call.number(scale_name)
                                                  : static_cast<double>(old_size) / static_cast<double>(new_size);
    return (places + 0.5) * as_torch(step) - 0.5;
}

/// `weights` along dimension `dim` of `rank`.
Tensor along(Call& call, const Tensor& weights, std::int64_t dim, std::int64_t rank) {
    if (dim == rank - 1) return weights;
    std::vector<Argument> sizes{weights.size(0)};
    sizes.insert(sizes.end(), static_cast<std::size_t>(rank - 1 - dim), std::int64_t{1});
    return call("view.default", weights, list(std::move(sizes)));
}

struct Tap {
    Tensor place;   ///< which old element, clamped
    Tensor weight;
};

std::vector<Tap> linear_taps(Call& call, const Tensor& places, std::int64_t old_size) {
    const Tensor inside = call("clamp.default", places, 0.0);
    const Tensor low = inside.to(DType::i64);
    const Tensor high = call("clamp.default", low + std::int64_t{1}, None{}, old_size - 1);
    const Tensor weight = call("clamp.default", inside - low.to(places.dtype()), 0.0, 1.0);
    return {{low, Argument(1.0) - weight}, {high, weight}};
}

/// Keys' cubic with a = -0.75: |d| < 1, and 1 <= |d| < 2.
std::vector<Tap> cubic_taps(Call& call, const Tensor& places, std::int64_t old_size) {
    constexpr double a = -0.75;
    const auto near = [&](const Tensor& d) { return (d * (a + 2) - (a + 3)) * d * d + 1.0; };
    const auto far = [&](const Tensor& d) { return ((d * a - 5 * a) * d + 8 * a) * d - 4 * a; };
    const Tensor floor = call("floor.default", places);
    const Tensor t = places - floor, first = floor.to(DType::i64);
    const Tensor back = Argument(1.0) - t;
    const Tensor weights[4] = {far(t + 1.0), near(t), near(back), far(back + 1.0)};
    std::vector<Tap> taps;
    for (std::int64_t i = 0; i < 4; ++i) {
        const Tensor place = i == 1 ? first : first + (i - 1);
        taps.push_back({call("clamp.default", place, std::int64_t{0}, old_size - 1), weights[i]});
    }
    return taps;
}

/// Interpolates one dimension after the other, the last first.
Values interpolate(Call& call, const std::vector<const char*>& scales, std::vector<Tap> (*taps_of)(Call&, const Tensor&, std::int64_t)) {
    Tensor x = call.compute("self");
    const std::vector<std::int64_t> sizes = call.integers("output_size");
    if (sizes.size() != scales.size()) return call.decline("it has not one size for each dimension");
    const bool align = call.flag("align_corners");
    for (std::size_t i = sizes.size(); i-- > 0 && !call.has_trouble();) {
        const std::int64_t rank = x.rank(), dim = rank - static_cast<std::int64_t>(sizes.size() - i);
        const auto size = x.constant_size(dim);
        if (!size) return call.decline("a size it reads is no constant");
        Tensor sum;
        for (const Tap& tap : taps_of(call, source_places(call, x, *size, sizes[i], align, scales[i]), *size)) {
            const Tensor part = call("index_select.default", x, dim, tap.place) * along(call, tap.weight, dim, rank);
            sum = sum.is_defined() ? sum + part : part;
        }
        x = sum;
    }
    return call.give(x);
}

Values trilinear3d(Call& call) { return interpolate(call, {"scales_d", "scales_h", "scales_w"}, &linear_taps); }
Values bicubic2d(Call& call) { return interpolate(call, {"scales_h", "scales_w"}, &cubic_taps); }

/// Coordinates of a grid's dimension from -1 to 1: of the corners, or of the cells' middles.
Tensor grid_line(Call& call, const Tensor& like, const Argument& size, bool align) {
    const auto count = call.size_value(size);
    if (!count || !count->is_constant()) {
        call.trouble("the sizes of the grid are no constants");
        return {};
    }
    const auto n = static_cast<double>(*count->constant());
    if (n <= 1) return call.full({size}, 0.0, like.dtype(), like);
    const double step = 2 / (n - 1), shrink = align ? 1 : (n - 1) / n;
    return (call.arange(size, like.dtype(), like) * step - 1.0) * shrink;
}

Values affine_grid_generator(Call& call) {
    const Tensor theta = call.tensor("theta");
    const std::vector<Argument> size = call.items("size");
    const bool align = call.flag("align_corners");
    const auto dims = static_cast<std::int64_t>(size.size()) - 2;
    if (dims != 2 && dims != 3) return call.decline("its grid is not of two or three dimensions");
    const std::vector<Argument> places(size.begin() + 2, size.end());
    std::vector<Tensor> columns;
    for (std::int64_t i = dims - 1; i >= 0; --i) { // x varies fastest, and comes first
        std::vector<Argument> shape(static_cast<std::size_t>(dims), std::int64_t{1});
        shape[static_cast<std::size_t>(i)] = places[static_cast<std::size_t>(i)];
        const Tensor line = call("view.default", grid_line(call, theta, places[static_cast<std::size_t>(i)], align), list(shape));
        columns.push_back(call.expand(line, places));
    }
    columns.push_back(call.full(places, 1.0, theta.dtype(), theta));
    for (Tensor& column : columns) column = call.unsqueeze(column, -1);
    const Tensor base = call.reshape(call("cat.default", list(columns), std::int64_t{-1}), {std::int64_t{1}, call.product_of(places), dims + 1});
    const Tensor product = call("bmm.default", call.expand(base, {size[0], call.product_of(places), dims + 1}), call.transpose(theta, 1, 2));
    std::vector<Argument> wanted{size[0]};
    wanted.insert(wanted.end(), places.begin(), places.end());
    wanted.emplace_back(dims);
    return call.give(call("view.default", product, list(std::move(wanted))));
}

constexpr std::array rules{
    Rule{"aten.upsample_nearest1d.default", "upsample_nearest2d of one row", &nearest1d},
    Rule{"aten.upsample_nearest2d.default", "upsample_nearest2d by sizes, or scales", &nearest2d},
    Rule{"aten.upsample_nearest3d.default", "index_select at floor(i * scale)", &nearest3d},
    Rule{"aten._upsample_nearest_exact1d.default", "index_select at floor((i + 0.5) * scale)", &nearest_exact1d},
    Rule{"aten._upsample_nearest_exact2d.default", "index_select at floor((i + 0.5) * scale)", &nearest_exact2d},
    Rule{"aten._upsample_nearest_exact3d.default", "index_select at floor((i + 0.5) * scale)", &nearest_exact3d},
    Rule{"aten.upsample_linear1d.default", "upsample_bilinear2d of one row", &linear1d},
    Rule{"aten.upsample_trilinear3d.default", "linear between two places of each dimension", &trilinear3d},
    Rule{"aten.upsample_bicubic2d.default", "Keys' cubic of four places of each dimension", &bicubic2d},
    Rule{"aten.affine_grid_generator.default", "[x, y, 1] thetaᵀ, over a grid from -1 to 1", &affine_grid_generator},
    Rule{"aten.upsample_bilinear2d.default", "upsample_bilinear2d by sizes, or scales", &bilinear2d},
};

} // namespace

std::span<const Rule> resampling_rules() { return rules; }

} // namespace inspector::decomposition
