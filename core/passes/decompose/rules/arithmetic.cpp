// Arithmetic, element by element.
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/passes/decompose/rule.h"

namespace inspector::decomposition {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// An argument that is a tensor or a number, as a tensor to compute with.
bool is_one(const Argument& number) {
    const auto* integer = number.as<std::int64_t>();
    const auto* real = number.as<double>();
    return (integer && *integer == 1) || (real && *real == 1);
}

Tensor scaled(const Tensor& x, const Argument& factor) { return is_one(factor) ? x : x * factor; }

Values rsub(Call& call) {
    const Tensor x = call.compute("self");
    const Tensor subtracted = scaled(x, call.argument("alpha"));
    if (call.op().overload == "Scalar") return call.give(call.argument("other") - subtracted);
    return call.give(call.compute("other") - subtracted);
}

Values addcmul(Call& call) {
    const Tensor product = call.compute("tensor1") * call.compute("tensor2");
    return call.give(call.compute("self") + scaled(product, call.argument("value")));
}

Values addcdiv(Call& call) {
    const Tensor quotient = call.compute("tensor1") / call.compute("tensor2");
    return call.give(call.compute("self") + scaled(quotient, call.argument("value")));
}

/// From the nearer end, so that a weight of 1 gives the end exactly.
Values lerp(Call& call) {
    const Tensor start = call.compute("self"), end = call.compute("end");
    const Tensor difference = end - start;
    if (call.op().overload == "Scalar") {
        const double weight = call.number("weight");
        return call.give(std::abs(weight) < 0.5 ? start + difference * weight : end - difference * (1 - weight));
    }
    const Tensor weight = call.compute("weight");
    const Tensor is_small = call("lt.Scalar", call("abs.default", weight), 0.5);
    return call.give(where(is_small, start + weight * difference, end - difference * (Argument(1.0) - weight)));
}

Values frac(Call& call) {
    const Tensor x = call.tensor("self");
    return call.give(x - call("trunc.default", x));
}

Values sgn(Call& call) {
    const Tensor x = call.tensor("self");
    if (is_complex(x.dtype())) return call.decline("its operand is complex");
    return call.give(call("sign.default", x));
}

Values sinc(Call& call) {
    const Tensor x = call.compute("self") * std::numbers::pi;
    const Tensor is_zero = call("eq.Scalar", x, std::int64_t{0});
    return call.give(where(is_zero, call.scalar(1.0, x.dtype(), x), call("sin.default", x) / x));
}

Values heaviside(Call& call) {
    const Tensor x = call.tensor("self");
    const Tensor is_positive = call("gt.Scalar", x, std::int64_t{0});
    const Tensor step = where(call("isnan.default", x), call.scalar(std::int64_t{0}, x.dtype(), x), is_positive.to(x.dtype()));
    return call.give(where(call("eq.Scalar", x, std::int64_t{0}), call.tensor("values"), step));
}

/// x * log(y), 0 where x is 0 and nan where y is.
Values times_log(Call& call, const char* log) {
    const Tensor x = call.compute("self"), y = call.compute("other");
    const Tensor product = x * call(log, y);
    const Tensor zero = call.scalar(0.0, product.dtype(), product);
    const Tensor or_zero = where(call("eq.Scalar", x, std::int64_t{0}), zero, product);
    return call.give(where(call("isnan.default", y), call.scalar(std::nan(""), product.dtype(), product), or_zero));
}
Values xlogy(Call& call) { return times_log(call, "log.default"); }
Values xlog1py(Call& call) { return times_log(call, "log1p.default"); }

Values entr(Call& call) {
    const Tensor x = call.compute("self");
    const Tensor positive = -x * call("log.default", x);
    const Tensor at_most_zero = where(call("eq.Scalar", x, 0.0), call.scalar(0.0, x.dtype(), x), call.scalar(-infinity, x.dtype(), x));
    const Tensor value = where(call("gt.Scalar", x, 0.0), positive, at_most_zero);
    return call.give(where(call("isnan.default", x), x, value));
}

/// The largest and smallest number of a type, which stand for infinities.
std::pair<double, double> limits(DType dtype) {
    switch (dtype) {
    case DType::f64: return {std::numeric_limits<double>::max(), std::numeric_limits<double>::lowest()};
    case DType::f16: return {65504.0, -65504.0};
    case DType::bf16: return {3.3895313892515355e38, -3.3895313892515355e38};
    default: return {static_cast<double>(std::numeric_limits<float>::max()), static_cast<double>(std::numeric_limits<float>::lowest())};
    }
}

Values nan_to_num(Call& call) {
    const Tensor x = call.tensor("self");
    if (!is_floating_point(x.dtype())) return call.give(call("clone.default", x));
    const auto [highest, lowest] = limits(x.dtype());
    const auto number = [&](const char* name, double standard) {
        return call.scalar(call.is_given(name) ? call.number(name) : standard, x.dtype(), x);
    };
    Tensor made = where(call("isnan.default", x), number("nan", 0.0), x);
    made = where(call("eq.Scalar", x, infinity), number("posinf", highest), made);
    return call.give(where(call("eq.Scalar", x, -infinity), number("neginf", lowest), made));
}

Values clamp_min(Call& call) {
    if (call.op().overload == "Tensor") return call.give(call("maximum.default", call.tensor("self"), call.tensor("min")));
    return call.give(call("clamp.default", call.tensor("self"), call.argument("min")));
}
Values clamp_max(Call& call) {
    if (call.op().overload == "Tensor") return call.give(call("minimum.default", call.tensor("self"), call.tensor("max")));
    return call.give(call("clamp.default", call.tensor("self"), None{}, call.argument("max")));
}

Values deg2rad(Call& call) { return call.give(call.compute("self") * (std::numbers::pi / 180)); }
Values rad2deg(Call& call) { return call.give(call.compute("self") * (180 / std::numbers::pi)); }

/// max + log(1 + exp(-|a - b|)), in base `b`; equal infinities are their own sum.
Tensor log_add(Call& call, const Tensor& exponential_of_distance, const Tensor& a, const Tensor& b, double log_unit) {
    const Tensor largest = call("maximum.default", a, b);
    const Tensor sum = largest + scaled(call("log1p.default", exponential_of_distance), Argument(1 / log_unit));
    const Tensor is_same_infinity = call("logical_and.default", call("isinf.default", a), call("eq.Tensor", a, b));
    return where(is_same_infinity, a, sum);
}
Values logaddexp(Call& call) {
    const Tensor a = call.compute("self"), b = call.compute("other");
    return call.give(log_add(call, call("exp.default", -call("abs.default", a - b)), a, b, 1));
}
Values logaddexp2(Call& call) {
    const Tensor a = call.compute("self"), b = call.compute("other");
    return call.give(log_add(call, call("pow.Scalar", 2.0, -call("abs.default", a - b)), a, b, std::numbers::ln2));
}

Values floor_divide(Call& call) {
    const bool by_number = call.op().overload == "Scalar";
    return call.give(call.add(by_number ? "div.Scalar_mode" : "div.Tensor_mode", {call.tensor("self"), call.argument("other")},
                              {{"rounding_mode", std::string("floor")}}));
}

Values is_infinity(Call& call, double sign) {
    const Tensor x = call.tensor("self");
    if (!is_floating_point(x.dtype())) return call.give(call.add("full_like.default", {x, false}, {{"dtype", DType::b8}}));
    return call.give(call("eq.Scalar", x, sign * infinity));
}
Values isposinf(Call& call) { return is_infinity(call, 1); }
Values isneginf(Call& call) { return is_infinity(call, -1); }

/// The larger or smaller one; the other one where one is nan.
Values without_nan(Call& call, const char* choose) {
    const Tensor a = call.compute("self"), b = call.compute("other");
    if (!is_floating_point(a.dtype())) return call.give(call(choose, a, b));
    const Tensor chosen = call(choose, a, b);
    return call.give(where(call("isnan.default", a), b, where(call("isnan.default", b), a, chosen)));
}
Values fmax(Call& call) { return without_nan(call, "maximum.default"); }
Values fmin(Call& call) { return without_nan(call, "minimum.default"); }

Values exp2(Call& call) { return call.give(call("pow.Scalar", 2.0, call.compute("self"))); }

Values hypot(Call& call) {
    const Tensor a = call.compute("self"), b = call.compute("other");
    return call.give(call("sqrt.default", a * a + b * b));
}

constexpr std::array rules{
    Rule{"aten.rsub.Scalar", "other - alpha*x", &rsub},
    Rule{"aten.rsub.Tensor", "other - alpha*x", &rsub},
    Rule{"aten.addcmul.default", "self + value * a*b", &addcmul},
    Rule{"aten.addcdiv.default", "self + value * a/b", &addcdiv},
    Rule{"aten.lerp.Scalar", "start + weight*(end - start), from the nearer end", &lerp},
    Rule{"aten.lerp.Tensor", "start + weight*(end - start), from the nearer end", &lerp},
    Rule{"aten.frac.default", "x - trunc(x)", &frac},
    Rule{"aten.sgn.default", "sign(x)", &sgn},
    Rule{"aten.sinc.default", "where(x = 0, 1, sin(pi*x) / (pi*x))", &sinc},
    Rule{"aten.heaviside.default", "where(x = 0, values, x > 0)", &heaviside},
    Rule{"aten.xlogy.Tensor", "x * log(y), 0 where x is 0", &xlogy},
    Rule{"aten.xlogy.Scalar_Self", "x * log(y), 0 where x is 0", &xlogy},
    Rule{"aten.xlogy.Scalar_Other", "x * log(y), 0 where x is 0", &xlogy},
    Rule{"aten.special_xlog1py.default", "x * log1p(y), 0 where x is 0", &xlog1py},
    Rule{"aten.special_xlog1py.self_scalar", "x * log1p(y), 0 where x is 0", &xlog1py},
    Rule{"aten.special_xlog1py.other_scalar", "x * log1p(y), 0 where x is 0", &xlog1py},
    Rule{"aten.special_entr.default", "-x*log(x), 0 at 0, -inf below", &entr},
    Rule{"aten.nan_to_num.default", "where(isnan(x), nan, where(x = inf, …, x))", &nan_to_num},
    Rule{"aten.clamp_min.default", "clamp(x, min)", &clamp_min},
    Rule{"aten.clamp_min.Tensor", "maximum(x, min)", &clamp_min},
    Rule{"aten.clamp_max.default", "clamp(x, None, max)", &clamp_max},
    Rule{"aten.clamp_max.Tensor", "minimum(x, max)", &clamp_max},
    Rule{"aten.deg2rad.default", "x * pi/180", &deg2rad},
    Rule{"aten.rad2deg.default", "x * 180/pi", &rad2deg},
    Rule{"aten.logaddexp.default", "max + log1p(exp(-|a - b|))", &logaddexp},
    Rule{"aten.logaddexp2.default", "max + log1p(2**-|a - b|) / log(2)", &logaddexp2},
    Rule{"aten.floor_divide.default", "div(a, b, floor)", &floor_divide},
    Rule{"aten.floor_divide.Scalar", "div(a, b, floor)", &floor_divide},
    Rule{"aten.isposinf.default", "x = inf", &isposinf},
    Rule{"aten.isneginf.default", "x = -inf", &isneginf},
    Rule{"aten.fmax.default", "maximum of what is a number", &fmax},
    Rule{"aten.fmin.default", "minimum of what is a number", &fmin},
    Rule{"aten.exp2.default", "2 ** x", &exp2},
    Rule{"aten.hypot.default", "sqrt(a*a + b*b)", &hypot},
};

} // namespace

std::span<const Rule> arithmetic_rules() { return rules; }

} // namespace inspector::decomposition
