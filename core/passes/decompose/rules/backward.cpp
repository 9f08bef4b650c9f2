// Gradients, as training graphs hold them.
#include <array>
#include <cmath>
#include <numbers>

#include "core/passes/decompose/rule.h"

namespace inspector::decomposition {
namespace {

Values sigmoid_backward(Call& call) {
    const Tensor y = call.compute("output");
    return call.give(call.compute("grad_output") * (y * (Argument(1.0) - y)));
}

Values tanh_backward(Call& call) {
    const Tensor y = call.compute("output");
    return call.give(call.compute("grad_output") * (Argument(1.0) - y * y));
}

Values threshold_backward(Call& call) {
    const Tensor x = call.tensor("self"), gradient = call.tensor("grad_output");
    return call.give(where(call("le.Scalar", x, call.argument("threshold")), call.scalar(std::int64_t{0}, gradient.dtype(), gradient), gradient));
}

Values silu_backward(Call& call) {
    const Tensor x = call.compute("self");
    const Tensor s = call("sigmoid.default", x);
    return call.give(call.compute("grad_output") * s * (x * (Argument(1.0) - s) + 1.0));
}

Values gelu_backward(Call& call) {
    const Tensor x = call.compute("self"), gradient = call.compute("grad_output");
    if (call.text("approximate") == "tanh") {
        const double beta = std::numbers::sqrt2 * std::numbers::inv_sqrtpi; // sqrt(2/pi)
        const double kappa = 0.044715;
        const Tensor t = call("tanh.default", (x + x * x * x * kappa) * beta);
        const Tensor inner = (x * x * (3 * kappa) + 1.0) * beta;
        return call.give(gradient * ((t + 1.0) * 0.5 + x * 0.5 * (Argument(1.0) - t * t) * inner));
    }
    const Tensor cumulative = (call("erf.default", x * (1 / std::numbers::sqrt2)) + 1.0) * 0.5;
    const Tensor density = call("exp.default", x * x * -0.5) * (0.5 * std::numbers::inv_sqrtpi * std::numbers::sqrt2);
    return call.give(gradient * (cumulative + x * density));
}

Values hardtanh_backward(Call& call) {
    const Tensor x = call.tensor("self"), gradient = call.tensor("grad_output");
    const Tensor outside = call("logical_or.default", call("le.Scalar", x, call.argument("min_val")),
                                call("ge.Scalar", x, call.argument("max_val")));
    return call.give(where(outside, call.scalar(std::int64_t{0}, gradient.dtype(), gradient), gradient));
}

Values leaky_relu_backward(Call& call) {
    const Tensor x = call.tensor("self"), gradient = call.tensor("grad_output");
    return call.give(where(call("gt.Scalar", x, std::int64_t{0}), gradient, gradient * call.argument("negative_slope")));
}

Values softmax_backward(Call& call) {
    const Tensor y = call.compute("output", false), gradient = call.compute("grad_output", false);
    const Tensor product = gradient * y;
    return call.give(product - y * call.sum(product, {call.dim("dim", y.rank())}, true));
}

Values log_softmax_backward(Call& call) {
    const Tensor y = call.compute("output", false), gradient = call.compute("grad_output", false);
    return call.give(gradient - call("exp.default", y) * call.sum(gradient, {call.dim("dim", y.rank())}, true));
}

Values native_dropout_backward(Call& call) {
    const Tensor gradient = call.compute("grad_output");
    return call.give(gradient * call.tensor("mask").to(gradient.dtype()) * call.argument("scale"));
}

/// What a gradient is multiplied by: a mean's share of each element.
double share(Call& call, const Tensor& x) {
    if (call.integer("reduction") != 1) return 1;
    double count = 1;
    for (std::int64_t i = 0; i < x.rank(); ++i) {
        const auto size = x.constant_size(i);
        if (!size) call.trouble("the mean is over a symbolic number of elements");
        count *= static_cast<double>(size.value_or(1));
    }
    return 1 / count;
}

Values mse_loss_backward(Call& call) {
    const Tensor x = call.compute("self");
    return call.give((x - call.compute("target")) * (2 * share(call, x)) * call.compute("grad_output"));
}

Values huber_loss_backward(Call& call) {
    const Tensor x = call.compute("self"), gradient = call.compute("grad_output") * share(call, x);
    const double delta = call.number("delta");
    return call.give(gradient * call("clamp.default", x - call.compute("target"), -delta, delta));
}

Values smooth_l1_loss_backward(Call& call) {
    const Tensor x = call.compute("self"), gradient = call.compute("grad_output") * share(call, x);
    const Tensor error = x - call.compute("target");
    const double beta = call.number("beta");
    if (beta == 0) return call.give(gradient * call("sign.default", error));
    const Tensor is_small = call("lt.Scalar", call("abs.default", error), beta);
    return call.give(gradient * where(is_small, error / beta, call("sign.default", error)));
}

Values soft_margin_loss_backward(Call& call) {
    const Tensor x = call.compute("self"), target = call.compute("target");
    const Tensor gradient = call.compute("grad_output") * share(call, x);
    return call.give(gradient * target * (call("sigmoid.default", target * x) - 1.0));
}

Values binary_cross_entropy_backward(Call& call) {
    const Tensor x = call.compute("self"), weight = call.compute("weight");
    Tensor gradient = call.compute("grad_output") * share(call, x);
    if (weight.is_defined()) gradient = gradient * weight;
    return call.give(gradient * (x - call.compute("target")) / call("clamp.default", x * (Argument(1.0) - x), 1e-12));
}

Values nll_loss_backward(Call& call) {
    const Tensor x = call.tensor("self"), weight = call.tensor("weight");
    const std::int64_t channel = x.rank() < 2 ? 0 : 1;
    const Tensor target = call.unsqueeze(call.tensor("target"), channel);
    const Tensor is_counted = call("ne.Scalar", target, call.argument("ignore_index"));
    const Tensor index = where(is_counted, target, call.scalar(std::int64_t{0}, target.dtype(), target));
    Tensor gradient = call.tensor("grad_output");
    if (call.integer("reduction") == 1) gradient = gradient / call.tensor("total_weight");
    if (gradient.rank() > 0 && gradient.rank() < x.rank()) gradient = call.unsqueeze(gradient, channel);
    Tensor chosen = call("scatter.value", call("full_like.default", x, 0.0), channel, index, -1.0);
    if (weight.is_defined()) {
        std::vector<Argument> sizes(static_cast<std::size_t>(x.rank()), std::int64_t{1});
        sizes[static_cast<std::size_t>(channel)] = weight.size(0);
        chosen = chosen * call("view.default", weight, list(sizes));
    }
    return call.give(chosen * where(is_counted, gradient, call.scalar(0.0, gradient.dtype(), gradient)));
}

Values elu_backward(Call& call) {
    const Tensor x = call.compute("self_or_result"), gradient = call.compute("grad_output");
    const double scale = call.number("scale"), below = call.number("alpha") * scale, input = call.number("input_scale");
    const Tensor negative = call.flag("is_result") ? (x + below) * input : call("exp.default", x * input) * (input * below);
    return call.give(where(call("le.Scalar", x, std::int64_t{0}), gradient * negative, gradient * scale));
}

Values glu_backward(Call& call) {
    const Tensor x = call.compute("self"), gradient = call.compute("grad_output");
    const std::int64_t dim = call.dim("dim", x.rank());
    const auto size = x.constant_size(dim);
    if (!size || *size % 2 != 0) return call.decline("the dimension it halves has no constant even size");
    const Tensor halves = call("split_with_sizes.default", x, list(std::vector<std::int64_t>{*size / 2, *size / 2}), dim);
    const Tensor s = call("sigmoid.default", call.item(halves, 1));
    const Tensor first = s * gradient;
    return call.give(call("cat.default", list(std::vector<Tensor>{first, (Argument(1.0) - s) * first * call.item(halves, 0)}), dim));
}

Values hardsigmoid_backward(Call& call) {
    const Tensor x = call.compute("self"), gradient = call.compute("grad_output");
    const Tensor inside = call("lt.Scalar", call("abs.default", x), 3.0);
    return call.give(where(inside, gradient * (1.0 / 6), call.scalar(0.0, gradient.dtype(), gradient)));
}

Values hardswish_backward(Call& call) {
    const Tensor x = call.compute("self"), gradient = call.compute("grad_output");
    const Tensor rising = where(call("lt.Scalar", x, 3.0), gradient * (x / 3.0 + 0.5), gradient);
    return call.give(where(call("le.Scalar", x, -3.0), call.scalar(0.0, gradient.dtype(), gradient), rising));
}

Values log_sigmoid_backward(Call& call) {
    const Tensor x = call.compute("self");
    return call.give(call.compute("grad_output") * call("sigmoid.default", -x));
}

Values logit_backward(Call& call) {
    const Tensor x = call.compute("self"), gradient = call.compute("grad_output");
    const bool has_eps = call.is_given("eps");
    const double eps = has_eps ? call.number("eps") : 0;
    const Tensor inside = call("logical_and.default", call("ge.Scalar", x, eps), call("le.Scalar", x, 1 - eps));
    return call.give(where(inside, gradient / (x * (Argument(1.0) - x)), call.scalar(has_eps ? 0.0 : std::nan(""), x.dtype(), x)));
}

Values softplus_backward(Call& call) {
    const Tensor x = call.compute("self"), gradient = call.compute("grad_output");
    const Tensor scaled = x * call.argument("beta");
    return call.give(where(call("gt.Scalar", scaled, call.argument("threshold")), gradient, gradient * call("sigmoid.default", scaled)));
}

Values prelu_kernel_backward(Call& call) {
    const Tensor x = call.tensor("self"), gradient = call.tensor("grad_output");
    const Tensor is_positive = call("gt.Scalar", x, std::int64_t{0});
    return call.give_all({where(is_positive, gradient, call.tensor("weight") * gradient),
                          where(is_positive, call.scalar(0.0, x.dtype(), x), x * gradient)});
}

constexpr std::array rules{
    Rule{"aten.sigmoid_backward.default", "grad * y*(1 - y)", &sigmoid_backward},
    Rule{"aten.tanh_backward.default", "grad * (1 - y*y)", &tanh_backward},
    Rule{"aten.threshold_backward.default", "where(x <= threshold, 0, grad)", &threshold_backward},
    Rule{"aten.silu_backward.default", "grad * s*(1 + x*(1 - s)), s = sigmoid(x)", &silu_backward},
    Rule{"aten.gelu_backward.default", "grad * (cdf(x) + x*pdf(x)), or that of the tanh form", &gelu_backward},
    Rule{"aten.hardtanh_backward.default", "where(min < x < max, grad, 0)", &hardtanh_backward},
    Rule{"aten.leaky_relu_backward.default", "where(x > 0, grad, slope*grad)", &leaky_relu_backward},
    Rule{"aten._softmax_backward_data.default", "grad*y - y*sum(grad*y)", &softmax_backward},
    Rule{"aten._log_softmax_backward_data.default", "grad - exp(y)*sum(grad)", &log_softmax_backward},
    Rule{"aten.native_dropout_backward.default", "grad * mask * scale", &native_dropout_backward},
    Rule{"aten.elu_backward.default", "where(x <= 0, grad * input_scale*alpha*scale*exp(x*input_scale), grad * scale)", &elu_backward},
    Rule{"aten.glu_backward.default", "s*grad, (1 - s)*s*grad*a; s = sigmoid(b)", &glu_backward},
    Rule{"aten.hardsigmoid_backward.default", "where(|x| < 3, grad/6, 0)", &hardsigmoid_backward},
    Rule{"aten.hardswish_backward.default", "where(x <= -3, 0, where(x < 3, grad * (x/3 + 1/2), grad))", &hardswish_backward},
    Rule{"aten.log_sigmoid_backward.default", "grad * sigmoid(-x)", &log_sigmoid_backward},
    Rule{"aten.logit_backward.default", "where(eps <= x <= 1 - eps, grad / (x*(1 - x)), 0)", &logit_backward},
    Rule{"aten.softplus_backward.default", "where(x*beta > threshold, grad, grad * sigmoid(x*beta))", &softplus_backward},
    Rule{"aten._prelu_kernel_backward.default", "where(x > 0, grad, weight*grad), where(x > 0, 0, x*grad)", &prelu_kernel_backward},
    Rule{"aten.huber_loss_backward.default", "grad * clamp(x - y, -delta, delta)", &huber_loss_backward},
    Rule{"aten.smooth_l1_loss_backward.default", "grad * where(|d| < beta, d/beta, sign(d)), d = x - y", &smooth_l1_loss_backward},
    Rule{"aten.soft_margin_loss_backward.default", "grad * y*(sigmoid(x*y) - 1)", &soft_margin_loss_backward},
    Rule{"aten.binary_cross_entropy_backward.default", "grad * (x - y) / (x*(1 - x))", &binary_cross_entropy_backward},
    Rule{"aten.nll_loss_backward.default", "-weight*grad at the class, 0 elsewhere", &nll_loss_backward},
    Rule{"aten.nll_loss2d_backward.default", "-weight*grad at the class, 0 elsewhere", &nll_loss_backward},
    Rule{"aten.mse_loss_backward.default", "grad * 2*(x - y), over the number of elements for a mean", &mse_loss_backward},
};

} // namespace

std::span<const Rule> backward_rules() { return rules; }

} // namespace inspector::decomposition
