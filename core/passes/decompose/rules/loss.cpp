// Losses.
#include <array>

#include "core/passes/decompose/rule.h"

namespace inspector::decomposition {
namespace {

enum Reduction : std::int64_t { none, mean, sum };

Tensor reduced(Call& call, const Tensor& loss) {
    switch (call.integer("reduction")) {
    case mean: return call("mean.default", loss);
    case sum: return call("sum.dim_IntList", loss, list(std::vector<Argument>{}));
    default: return loss;
    }
}

Values mse_loss(Call& call) {
    const Tensor error = call.compute("self") - call.compute("target");
    return call.give(reduced(call, error * error));
}

Values smooth_l1_loss(Call& call) {
    const Tensor distance = call("abs.default", call.compute("self") - call.compute("target"));
    const double beta = call.number("beta");
    if (beta == 0) return call.give(reduced(call, distance));
    const Tensor is_small = call("lt.Scalar", distance, beta);
    return call.give(reduced(call, where(is_small, distance * distance * 0.5 / beta, distance - 0.5 * beta)));
}

Values huber_loss(Call& call) {
    const Tensor distance = call("abs.default", call.compute("self") - call.compute("target"));
    const double delta = call.number("delta");
    const Tensor is_small = call("le.Scalar", distance, delta);
    return call.give(reduced(call, where(is_small, distance * distance * 0.5, (distance - 0.5 * delta) * delta)));
}

Values binary_cross_entropy(Call& call) {
    const Tensor x = call.compute("self"), target = call.compute("target"), weight = call.compute("weight");
    const auto log = [&](const Tensor& of) { return call("clamp.default", of, -100.0); };
    Tensor loss = (target - 1.0) * log(call("log1p.default", -x)) - target * log(call("log.default", x));
    if (weight.is_defined()) loss = loss * weight;
    return call.give(reduced(call, loss));
}

Values binary_cross_entropy_with_logits(Call& call) {
    const Tensor x = call.compute("self"), target = call.compute("target");
    const Tensor weight = call.compute("weight"), positive = call.compute("pos_weight");
    // min(0, x) - log1p(exp(-|x|)), which is log(sigmoid(x))
    const Tensor log_sigmoid = call("minimum.default", call.scalar(0.0, x.dtype(), x), x) -
                               call("log1p.default", call("exp.default", -call("abs.default", x)));
    const Tensor rest = (Argument(1.0) - target) * x;
    Tensor loss = positive.is_defined() ? rest - ((positive - 1.0) * target + 1.0) * log_sigmoid : rest - log_sigmoid;
    if (weight.is_defined()) loss = loss * weight;
    return call.give(reduced(call, loss));
}

Values soft_margin_loss(Call& call) {
    return call.give(reduced(call, call("log1p.default", call("exp.default", -call.compute("self") * call.compute("target")))));
}

/// The class's entry, negated and weighted; 0 where the class is the one to ignore. Also the weights' sum.
Values nll_loss(Call& call) {
    const Tensor x = call.tensor("self"), target = call.tensor("target"), weight = call.tensor("weight");
    const std::int64_t channel = x.rank() < 2 ? 0 : 1;
    const Argument ignored = call.argument("ignore_index");
    const Tensor is_counted = call("ne.Scalar", target, ignored);
    const Tensor safe = where(is_counted, target, call.scalar(std::int64_t{0}, target.dtype(), target));
    const Tensor index = call.unsqueeze(safe, channel);
    const Tensor zero = call.scalar(0.0, x.dtype(), x);
    Tensor entries = x, weights;
    if (weight.is_defined()) {
        std::vector<Argument> sizes(static_cast<std::size_t>(x.rank()), std::int64_t{1});
        sizes[static_cast<std::size_t>(channel)] = weight.size(0);
        const Tensor spread = call("view.default", weight, list(sizes));
        entries = x * spread;
        weights = call.squeeze(call("gather.default", call.expand(spread, x.shape()), channel, index), channel);
    }
    const Tensor loss = where(is_counted, -call.squeeze(call("gather.default", entries, channel, index), channel), zero);
    const std::int64_t reduction = call.integer("reduction");
    if (reduction == none && x.rank() > 1) return call.give_all({loss, zero});
    const Tensor counted = weight.is_defined() ? where(is_counted, weights, zero) : is_counted.to(x.dtype());
    const auto all = [&](const Tensor& of) { return call("sum.dim_IntList", of, list(std::vector<Argument>{})); };
    const Tensor total = all(counted);
    if (reduction == none) return call.give_all({loss, total});
    return call.give_all({reduction == mean ? all(loss) / total : all(loss), total});
}

constexpr std::array rules{
    Rule{"aten.mse_loss.default", "mean((x - y)**2)", &mse_loss},
    Rule{"aten.smooth_l1_loss.default", "where(d < beta, d*d/2/beta, d - beta/2), d = |x - y|", &smooth_l1_loss},
    Rule{"aten.huber_loss.default", "where(d <= delta, d*d/2, delta*(d - delta/2)), d = |x - y|", &huber_loss},
    Rule{"aten.binary_cross_entropy.default", "(y - 1)*log(1 - x) - y*log(x), logs not below -100", &binary_cross_entropy},
    Rule{"aten.binary_cross_entropy_with_logits.default", "(1 - y)*x - ((pos - 1)*y + 1)*log(sigmoid(x))",
         &binary_cross_entropy_with_logits},
    Rule{"aten.soft_margin_loss.default", "log1p(exp(-x*y))", &soft_margin_loss},
    Rule{"aten.nll_loss_forward.default", "-weight[y]*x[y], and the sum of weights", &nll_loss},
    Rule{"aten.nll_loss2d_forward.default", "-weight[y]*x[y], and the sum of weights", &nll_loss},
};

} // namespace

std::span<const Rule> loss_rules() { return rules; }

} // namespace inspector::decomposition
