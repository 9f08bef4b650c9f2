// Losses: elementwise differences, reduced to one number unless the reduction says none.
#include <ATen/core/Reduction.h>

#include "core/libtorch/operators/meta_kernels/layouts.h"

namespace inspector::meta_kernels {
namespace {

bool is_reduced(const MetaCall& call) { return call.integer("reduction") != at::Reduction::None; }

Results elementwise_loss(const MetaCall& call) {
    const at::Tensor& self = call.self();
    const at::Tensor pointwise = elementwise(self.scalar_type(), {self, call.tensor("target")});
    return {is_reduced(call) ? empty({}, self) : pointwise};
}
Results binary_cross_entropy(const MetaCall& call) {
    const at::Tensor& self = call.self();
    return {is_reduced(call) ? empty({}, self) : dense_like(self)};
}

Results pair_backward(const MetaCall& call) {
    return {elementwise(call.self().scalar_type(), {call.self(), call.tensor("target"), call.tensor("grad_output")})};
}
Results like_self(const MetaCall& call) { return {dense_like(call.self())}; }
Results contiguous_self(const MetaCall& call) { return {contiguous_like(call.self())}; }

/// Pixelwise: input [N, C, H, W], target [N, H, W].
Results nll_loss2d_forward(const MetaCall& call) {
    const at::Tensor& self = call.self();
    const at::Tensor& target = call.tensor("target");
    TORCH_CHECK(self.dim() == 4 && target.dim() == 3, "expected an input with 4 dimensions and a target with 3, but got ",
                self.dim(), " and ", target.dim());
    TORCH_CHECK(self.size(0) == target.size(0) && self.size(2) == target.size(1) && self.size(3) == target.size(2),
                "size mismatch (got input: ", self.sizes(), " , target: ", target.sizes());
    return {is_reduced(call) ? empty({}, self) : empty({self.size(0), self.size(2), self.size(3)}, self), empty({}, self)};
}

/// input [N, C] or [C].
Results multi_margin(const MetaCall& call) {
    const at::Tensor& self = call.self();
    TORCH_CHECK(self.dim() <= 2, "Expected non-empty vector or matrix with optional 0-dim batch size, but got: ", self.sizes());
    return {is_reduced(call) || self.dim() < 2 ? empty({}, self) : empty({self.size(0)}, self)};
}
Results multilabel_margin_forward(const MetaCall& call) {
    const at::Tensor& self = call.self();
    return {multi_margin(call).front(), empty(call.tensor("target").sizes(), self)};
}

constexpr Kernel kernels[] = {
    {"binary_cross_entropy", binary_cross_entropy},
    {"binary_cross_entropy.out", binary_cross_entropy},
    {"binary_cross_entropy_backward", like_self},
    {"binary_cross_entropy_backward.grad_input", like_self},
    {"huber_loss", elementwise_loss},
    {"huber_loss.out", elementwise_loss},
    {"huber_loss_backward", pair_backward},
    {"huber_loss_backward.out", pair_backward},
    {"mse_loss_backward", pair_backward},
    {"mse_loss_backward.grad_input", pair_backward},
    {"multi_margin_loss", multi_margin},
    {"multi_margin_loss.out", multi_margin},
    {"multi_margin_loss_backward", contiguous_self},
    {"multi_margin_loss_backward.grad_input", contiguous_self},
    {"multilabel_margin_loss_backward", contiguous_self},
    {"multilabel_margin_loss_backward.grad_input", contiguous_self},
    {"multilabel_margin_loss_forward", multilabel_margin_forward},
    {"multilabel_margin_loss_forward.output", multilabel_margin_forward},
    {"nll_loss2d_backward", contiguous_self},
    {"nll_loss2d_backward.grad_input", contiguous_self},
    {"nll_loss2d_forward", nll_loss2d_forward},
    {"nll_loss2d_forward.output", nll_loss2d_forward},
    {"smooth_l1_loss_backward", pair_backward},
    {"smooth_l1_loss_backward.grad_input", pair_backward},
};

} // namespace

std::span<const Kernel> loss_kernels() { return kernels; }

} // namespace inspector::meta_kernels
