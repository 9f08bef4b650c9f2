// Normalizations: the input's layout, and one statistic a channel, group or row.
#include <algorithm>

#include "core/libtorch/operators/meta_kernels/layouts.h"

namespace inspector::meta_kernels {
namespace {

/// Statistics come in the type of the weights: half-precision inputs may have float ones.
c10::ScalarType statistics_type(const at::Tensor& input, const at::Tensor& weight) {
    return weight.defined() ? weight.scalar_type() : input.scalar_type();
}

/// (output, saved mean, saved 1/√variance); evaluation saves nothing.
Results batch_norm_results(const MetaCall& call, bool training) {
    const at::Tensor& input = call.tensor("input");
    TORCH_CHECK(input.dim() >= 2, "Expected an input of 2 or more dimensions, but got ", input.dim());
    const std::int64_t saved = training ? input.size(1) : 0;
    const c10::ScalarType type = statistics_type(input, call.tensor("weight"));
    return {dense_like(input), empty({saved}, input, type), empty({saved}, input, type)};
}
Results batch_norm(const MetaCall& call) { return batch_norm_results(call, call.flag("training")); }
Results batch_norm_with_update(const MetaCall& call) {
    Results results = batch_norm_results(call, true);
    results.push_back(empty({0}, results[0], c10::kByte)); // the reserve, which only cuDNN fills
    return results;
}
Results batch_norm_statistics(const MetaCall& call) {
    const at::Tensor& input = call.tensor("input");
    const at::Tensor& running = call.tensor("running_mean");
    return {empty({input.size(1)}, input, statistics_type(input, running)),
            empty({input.size(1)}, input, statistics_type(input, running))};
}

/// One mean and 1/√variance for each index of the dimensions before `normalized_shape`.
Results layer_norm(const MetaCall& call) {
    const at::Tensor& input = call.tensor("input");
    const at::Tensor& weight = call.tensor("weight");
    const Sizes shape = call.integers("normalized_shape");
    const auto normalized = static_cast<std::int64_t>(shape.size());
    TORCH_CHECK(normalized >= 1 && normalized <= input.dim() &&
                    input.sizes().slice(static_cast<std::size_t>(input.dim() - normalized)) == c10::IntArrayRef(shape),
                "Given normalized_shape=", shape, ", expected input with shape ending so, but got input of size ", input.sizes());
    TORCH_CHECK(!weight.defined() || weight.sizes() == c10::IntArrayRef(shape),
                "Expected weight to be of same shape as normalized_shape, but got weight of shape ", weight.sizes(),
                " and normalized_shape = ", shape);
    Sizes sizes = input.sizes().vec();
    std::fill(sizes.end() - normalized, sizes.end(), 1);
    const c10::ScalarType type = statistics_type(input, weight);
    return {contiguous_like(input), empty(sizes, input, type), empty(sizes, input, type)};
}

/// One mean and 1/√variance for each sample and group.
Results group_norm(const MetaCall& call) {
    const at::Tensor& input = call.tensor("input");
    const std::int64_t groups = call.integer("group");
    TORCH_CHECK(groups > 0 && call.integer("C") % groups == 0, "Expected number of channels in input to be divisible by num_groups, "
                "but got input of shape ", input.sizes(), " and num_groups=", groups);
    const c10::ScalarType type = statistics_type(input, call.tensor("weight"));
    const Sizes sizes{call.integer("N"), groups};
    return {dense_like(input), empty(sizes, input, type), empty(sizes, input, type)};
}

/// Gradients of input, weight and bias, each undefined where the mask leaves it out.
Results masked_gradients(const MetaCall& call, const at::Tensor& input, const at::Tensor& weight, const at::Tensor& bias) {
    const std::vector<bool> wanted = call.flags("output_mask");
    return {wanted[0] ? input : at::Tensor(), wanted[1] ? weight : at::Tensor(), wanted[2] ? bias : at::Tensor()};
}
Results batch_norm_backward(const MetaCall& call) {
    const at::Tensor& input = call.tensor("input");
    const at::Tensor& weight = call.tensor("weight");
    const auto type = weight.defined() ? weight.scalar_type() : input.scalar_type();
    return masked_gradients(call, dense_like(input), empty({input.size(1)}, input, type), empty({input.size(1)}, input, type));
}
Results layer_norm_backward(const MetaCall& call) {
    const at::Tensor& weight = call.tensor("weight");
    const at::Tensor& bias = call.tensor("bias");
    return masked_gradients(call, contiguous_like(call.tensor("input")), weight.defined() ? contiguous_like(weight) : weight,
                            bias.defined() ? contiguous_like(bias) : bias);
}
Results group_norm_backward(const MetaCall& call) {
    const at::Tensor& input = call.tensor("input");
    const std::int64_t channels = call.integer("C");
    return masked_gradients(call, dense_like(input), empty({channels}, input), empty({channels}, input));
}

Results weight_norm(const MetaCall& call) {
    const at::Tensor& direction = call.tensor("v");
    const at::Tensor& magnitude = call.tensor("g");
    const auto type = magnitude.scalar_type() == c10::kBFloat16 ? c10::kFloat : magnitude.scalar_type();
    return {dense_like(direction), dense_like(magnitude, type)};
}
Results weight_norm_backward(const MetaCall& call) {
    return {dense_like(call.tensor("saved_v")), dense_like(call.tensor("saved_g"))};
}

constexpr Kernel kernels[] = {
    {"_batch_norm_with_update", batch_norm_with_update},
    {"_native_batch_norm_legit", batch_norm},
    {"_native_batch_norm_legit.no_stats", batch_norm},
    {"_native_batch_norm_legit.no_stats_out", batch_norm},
    {"_native_batch_norm_legit.out", batch_norm},
    {"_weight_norm_interface", weight_norm},
    {"_weight_norm_interface_backward", weight_norm_backward},
    {"batch_norm_backward", batch_norm_backward},
    {"batch_norm_update_stats", batch_norm_statistics},
    {"native_batch_norm", batch_norm},
    {"native_batch_norm.out", batch_norm},
    {"native_batch_norm_backward", batch_norm_backward},
    {"native_group_norm", group_norm},
    {"native_group_norm_backward", group_norm_backward},
    {"native_layer_norm", layer_norm},
    {"native_layer_norm_backward", layer_norm_backward},
};

} // namespace

std::span<const Kernel> normalization_kernels() { return kernels; }

} // namespace inspector::meta_kernels
