// Normalizations, and statistics of batches.
#include <array>

#include "core/passes/decompose/rule.h"

namespace inspector::decomposition {
namespace {

Values layer_norm(Call& call) {
    const Tensor made = call("native_layer_norm.default", call.tensor("input"), call.argument("normalized_shape"),
                             call.argument("weight"), call.argument("bias"), call.argument("eps"));
    return call.give(call.item(made, 0));
}

/// As the operator itself lays it before it calls the kernel: row by row, or pixel by pixel where it lies so.
Tensor laid_out(Call& call, const Tensor& x) {
    for (const MemoryFormat format : {MemoryFormat::contiguous, MemoryFormat::channels_last, MemoryFormat::channels_last_3d})
        if (call.lies_as(x, format)) return x;
    return call.contiguous(x);
}

Values group_norm(Call& call) {
    const Tensor x = call.tensor("input");
    if (x.rank() < 2) return call.decline("its input has fewer than two dimensions");
    const std::vector<Argument> sizes = x.shape();
    const Argument rest = call.product_of({sizes.begin() + 2, sizes.end()});
    const Tensor made = call("native_group_norm.default", laid_out(call, x), call.argument("weight"), call.argument("bias"),
                             sizes[0], sizes[1], rest, call.argument("num_groups"), call.argument("eps"));
    return call.give(call.item(made, 0));
}

std::vector<std::int64_t> all_but_channels(const Tensor& x) {
    std::vector<std::int64_t> dims;
    for (std::int64_t i = 0; i < x.rank(); ++i)
        if (i != 1) dims.push_back(i);
    return dims;
}

/// The results of a batch norm that uses running statistics: the output, and two empty ones.
Tensor with_running_statistics(Call& call) {
    return call("_native_batch_norm_legit_no_training.default", call.tensor("input"), call.argument("weight"), call.argument("bias"),
                call.argument("running_mean"), call.argument("running_var"), call.argument("momentum"), call.argument("eps"));
}

/// Of one that uses those of the batch: the output, mean and reciprocal deviation.
Tensor with_batch_statistics(Call& call) {
    return call("_native_batch_norm_legit.no_stats", call.tensor("input"), call.argument("weight"), call.argument("bias"), true,
                call.argument("momentum"), call.argument("eps"));
}

Values batch_norm(Call& call) {
    if (!call.flag("training")) return call.give(call.item(with_running_statistics(call), 0));
    if (call.is_given("running_mean")) return call.decline("it writes its running statistics; functionalize the graph first");
    return call.give(call.item(with_batch_statistics(call), 0));
}

Values native_batch_norm(Call& call) {
    const bool training = call.flag("training");
    if (training && call.is_given("running_mean"))
        return call.decline("it writes its running statistics; functionalize the graph first");
    const Tensor made = training ? with_batch_statistics(call) : with_running_statistics(call);
    return call.give_all({call.item(made, 0), call.is_used(1) ? call.item(made, 1) : Tensor(),
                          call.is_used(2) ? call.item(made, 2) : Tensor()});
}

/// (1 - momentum)*running + momentum*now
Tensor updated(Call& call, const Tensor& running, const Tensor& now) {
    const double momentum = call.number("momentum");
    return now.to(running.dtype()) * momentum + running * (1 - momentum);
}

Values batch_norm_functional(Call& call) {
    const Tensor x = call.tensor("input"), mean = call.tensor("running_mean"), variance = call.tensor("running_var");
    const bool training = call.flag("training");
    const Tensor made = training ? with_batch_statistics(call) : with_running_statistics(call);
    std::vector<Tensor> results;
    for (std::size_t i = 0; i < 3; ++i) results.push_back(call.is_used(i) || (training && i == 1) ? call.item(made, i) : Tensor());
    const auto copied = [&](const Tensor& running) { return call("clone.default", running); };
    if (training) {
        results.push_back(updated(call, mean, results[1]));
        const Tensor unbiased = call.add("var.correction", {x, list(all_but_channels(x))}, {{"correction", std::int64_t{1}}});
        results.push_back(call.is_used(4) ? updated(call, variance, unbiased) : Tensor());
    } else {
        results.push_back(copied(mean));
        results.push_back(copied(variance));
    }
    return call.give_all(std::move(results));
}

Values instance_norm(Call& call) {
    const Tensor x = call.compute("input"), weight = call.tensor("weight"), bias = call.tensor("bias");
    if (call.is_given("running_mean")) return call.decline("it has running statistics");
    if (x.rank() < 3) return call.decline("its input has fewer than three dimensions");
    std::vector<std::int64_t> dims;
    for (std::int64_t i = 2; i < x.rank(); ++i) dims.push_back(i);
    const Tensor mean = call("mean.dim", x, list(dims), true);
    const Tensor variance = call.add("var.correction", {x, list(dims)}, {{"correction", std::int64_t{0}}, {"keepdim", true}});
    Tensor made = (x - mean) * call("rsqrt.default", variance + call.argument("eps"));
    const auto per_channel = [&](const Tensor& values) {
        std::vector<Argument> sizes{std::int64_t{-1}};
        sizes.insert(sizes.end(), dims.size(), std::int64_t{1});
        return call.reshape(values.to(x.dtype()), sizes);
    };
    if (weight.is_defined()) made = made * per_channel(weight);
    if (bias.is_defined()) made = made + per_channel(bias);
    return call.give(made);
}

Values weight_norm_interface(Call& call) {
    const Tensor v = call.tensor("v"), g = call.tensor("g");
    const std::int64_t dim = call.dim("dim", v.rank());
    std::vector<std::int64_t> others;
    for (std::int64_t i = 0; i < v.rank(); ++i)
        if (i != dim) others.push_back(i);
    if (others.empty()) return call.decline("it has one dimension only");
    const Tensor length = call("sqrt.default", call.sum(v * v, others, true));
    return call.give_all({v * (g / length.to(g.dtype())), length});
}

constexpr std::array rules{
    Rule{"aten.layer_norm.default", "native_layer_norm(x, shape, weight, bias, eps)[0]", &layer_norm},
    Rule{"aten.group_norm.default", "native_group_norm(x, weight, bias, N, C, HxW, groups, eps)[0]", &group_norm},
    Rule{"aten.batch_norm.default", "_native_batch_norm_legit_no_training(…)[0]; in training that of the batch", &batch_norm},
    Rule{"aten.native_batch_norm.default", "_native_batch_norm_legit_no_training(…); in training that of the batch", &native_batch_norm},
    Rule{"aten._native_batch_norm_legit_functional.default",
         "batch norm; running = (1 - momentum)*running + momentum*(mean, unbiased variance)", &batch_norm_functional},
    Rule{"aten.instance_norm.default", "(x - mean) * rsqrt(var + eps) * weight + bias, over the positions", &instance_norm},
    Rule{"aten._weight_norm_interface.default", "v * (g / |v|), and |v|", &weight_norm_interface},
};

} // namespace

std::span<const Rule> normalization_rules() { return rules; }

} // namespace inspector::decomposition
