// Quantization-aware training: values rounded as a quantized type would, in the float type they came in.
#include "core/libtorch/operators/meta_kernels/layouts.h"

namespace inspector::meta_kernels {
namespace {

Results like_self(const MetaCall& call) { return {dense_like(call.self())}; }
Results with_mask(const MetaCall& call) { return {dense_like(call.self()), dense_like(call.self(), c10::kBool)}; }
Results learnable_backward(const MetaCall& call) {
    return {dense_like(call.self()), dense_like(call.tensor("scale")), dense_like(call.tensor("zero_point"))};
}

constexpr Kernel kernels[] = {
    {"_fake_quantize_learnable_per_channel_affine", like_self},
    {"_fake_quantize_learnable_per_channel_affine_backward", learnable_backward},
    {"_fake_quantize_learnable_per_tensor_affine", like_self},
    {"_fake_quantize_learnable_per_tensor_affine_backward", learnable_backward},
    {"_fake_quantize_per_tensor_affine_cachemask_tensor_qparams", with_mask},
    {"_fused_moving_avg_obs_fq_helper", with_mask},
    {"fake_quantize_per_channel_affine_cachemask", with_mask},
    {"fake_quantize_per_tensor_affine_cachemask", with_mask},
};

} // namespace

std::span<const Kernel> quantization_kernels() { return kernels; }

} // namespace inspector::meta_kernels
