// Activations: functions of one element, mostly.
#include <array>
#include <limits>

#include "core/passes/decompose/rule.h"

namespace inspector::decomposition {
namespace {

Values silu(Call& call) {
    const Tensor x = call.compute("self");
    return call.give(x * call("sigmoid.default", x));
}

Tensor softplus_of(Call& call, const Tensor& x, const Argument& beta, const Argument& threshold) {
    const Tensor scaled = x * beta;
    return where(call("gt.Scalar", scaled, threshold), x, call("log1p.default", call("exp.default", scaled)) / beta);
}

Values softplus(Call& call) {
    return call.give(softplus_of(call, call.compute("self"), call.argument("beta"), call.argument("threshold")));
}

Values mish(Call& call) {
    const Tensor x = call.compute("self");
    return call.give(x * call("tanh.default", softplus_of(call, x, 1.0, 20.0)));
}

Tensor clamp_to_six(Call& call, const Tensor& x) { return call("clamp.default", x + 3.0, 0.0, 6.0); }

Values hardswish(Call& call) {
    const Tensor x = call.compute("self");
    return call.give(x * clamp_to_six(call, x) / 6.0);
}

Values hardsigmoid(Call& call) { return call.give(clamp_to_six(call, call.compute("self")) / 6.0); }

Values celu(Call& call) {
    const double alpha = call.number("alpha");
    return call.give(call("elu.default", call.compute("self"), alpha, 1.0, 1.0 / alpha));
}

Values hardshrink(Call& call) {
    const Tensor x = call.tensor("self");
    const Tensor is_small = call("le.Scalar", call("abs.default", x), call.argument("lambd"));
    return call.give(where(is_small, call.scalar(0.0, x.dtype(), x), x));
}

Values softshrink(Call& call) {
    const Tensor x = call.compute("self");
    const Argument lambda = call.argument("lambd");
    const Tensor is_large = call("gt.Scalar", call("abs.default", x), lambda);
    return call.give(where(is_large, x - call("sign.default", x) * lambda, x * 0.0));
}

Values threshold(Call& call) {
    const Tensor x = call.tensor("self");
    return call.give(where(call("le.Scalar", x, call.argument("threshold")), call.scalar(call.argument("value"), x.dtype(), x), x));
}

Values prelu_kernel(Call& call) {
    const Tensor x = call.tensor("self");
    return call.give(where(call("gt.Scalar", x, std::int64_t{0}), x, call.tensor("weight") * x));
}

Values glu(Call& call) {
    const Tensor x = call.compute("self");
    const std::int64_t dim = call.dim("dim", x.rank());
    const auto size = x.constant_size(dim);
    if (!size || *size % 2 != 0) return call.decline("the dimension it halves has no constant even size");
    const Tensor halves = call("split_with_sizes.default", x, list(std::vector<std::int64_t>{*size / 2, *size / 2}), dim);
    return call.give(call.item(halves, 0) * call("sigmoid.default", call.item(halves, 1)));
}

Values log_sigmoid_forward(Call& call) {
    const Tensor x = call.compute("self");
    const Tensor z = call("exp.default", -call("abs.default", x));
    const Tensor value = call("minimum.default", call.full({}, 0.0, x.dtype(), x), x) - call("log1p.default", z);
    // The second result is a buffer of the kernel's: empty where the kernel is not a CPU's.
    const Tensor buffer = !call.is_used(1) ? Tensor() : z;
    return call.give_all({value, buffer});
}

Values logit(Call& call) {
    Tensor x = call.compute("self");
    if (call.is_given("eps")) {
        const double eps = call.number("eps");
        x = call("clamp.default", x, eps, 1.0 - eps);
    }
    return call.give(call("log.default", x / (Argument(1.0) - x)));
}

Values rrelu(Call& call) {
    if (call.flag("training")) return call.decline("it draws random slopes");
    return call.give(call("leaky_relu.default", call.tensor("self"), (call.number("lower") + call.number("upper")) / 2));
}

constexpr std::array rules{
    Rule{"aten.silu.default", "x * sigmoid(x)", &silu},
    Rule{"aten.softplus.default", "where(x*beta > threshold, x, log1p(exp(x*beta)) / beta)", &softplus},
    Rule{"aten.mish.default", "x * tanh(softplus(x))", &mish},
    Rule{"aten.hardswish.default", "x * clamp(x + 3, 0, 6) / 6", &hardswish},
    Rule{"aten.hardsigmoid.default", "clamp(x + 3, 0, 6) / 6", &hardsigmoid},
    Rule{"aten.celu.default", "elu(x, alpha, 1, 1/alpha)", &celu},
    Rule{"aten.hardshrink.default", "where(|x| <= lambda, 0, x)", &hardshrink},
    Rule{"aten.softshrink.default", "where(|x| > lambda, x - sign(x)*lambda, 0*x)", &softshrink},
    Rule{"aten.threshold.default", "where(x <= threshold, value, x)", &threshold},
    Rule{"aten._prelu_kernel.default", "where(x > 0, x, weight*x)", &prelu_kernel},
    Rule{"aten.glu.default", "a * sigmoid(b), a and b being the halves of x", &glu},
    Rule{"aten.log_sigmoid_forward.default", "min(0, x) - log1p(exp(-|x|))", &log_sigmoid_forward},
    Rule{"aten.logit.default", "log(z / (1 - z)), z = clamp(x, eps, 1 - eps)", &logit},
    Rule{"aten.rrelu.default", "leaky_relu(x, (lower + upper) / 2), where it does not train", &rrelu},
};

} // namespace

std::span<const Rule> activation_rules() { return rules; }

} // namespace inspector::decomposition
