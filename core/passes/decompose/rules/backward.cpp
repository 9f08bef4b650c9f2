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

Values mse_loss_backward(Call& call) {
    const Tensor x = call.compute("self");
    Tensor scaled = (x - call.compute("target")) * 2.0;
    if (call.integer("reduction") == 1) {
        double count = 1;
        for (std::int64_t i = 0; i < x.rank(); ++i) {
            const auto size = x.constant_size(i);
            if (!size) return call.decline("the mean is over a symbolic number of elements");
            count *= static_cast<double>(*size);
        }
        scaled = (x - call.compute("target")) * (2.0 / count);
    }
    return call.give(scaled * call.compute("grad_output"));
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
    Rule{"aten.mse_loss_backward.default", "grad * 2*(x - y), over the number of elements for a mean", &mse_loss_backward},
};

} // namespace

std::span<const Rule> backward_rules() { return rules; }

} // namespace inspector::decomposition
