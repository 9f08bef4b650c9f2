// One result cell for each cell of the broadcast inputs.
#include <ATen/ops/result_type.h>

#include "core/libtorch/operators/meta_kernels/layouts.h"

namespace inspector::meta_kernels {
namespace {

Results like_self(const MetaCall& call) { return {elementwise(call.self().scalar_type(), {call.self()})}; }
Results contiguous_self(const MetaCall& call) { return {contiguous_like(call.self())}; }
Results boolean(const MetaCall& call) { return {elementwise(c10::kBool, {call.self()})}; }
Results boolean_pair(const MetaCall& call) { return {elementwise(c10::kBool, {call.self(), call.tensor("other")})}; }
Results floating(const MetaCall& call) {
    return {elementwise(float_type(call.self().scalar_type()), {call.self()})};
}
/// abs and angle of complex numbers are real.
Results magnitude(const MetaCall& call) {
    return {elementwise(c10::toRealValueType(call.self().scalar_type()), {call.self()})};
}
Results angle(const MetaCall& call) {
    return {elementwise(c10::toRealValueType(float_type(call.self().scalar_type())), {call.self()})};
}

Results promoted_pair(const MetaCall& call) {
    const at::Tensor& other = call.tensor("other");
    return {elementwise(at::result_type(call.self(), other), {call.self(), other})};
}
Results promoted_with_scalar(const MetaCall& call) {
    return {elementwise(at::result_type(call.self(), call.number("other")), {call.self()})};
}
Results scalar_with_promoted(const MetaCall& call) {
    const at::Tensor& other = call.tensor("other");
    return {elementwise(at::result_type(other, call.number("self")), {other})};
}

Results where(const MetaCall& call) {
    const at::Tensor& condition = call.tensor("condition");
    const at::Tensor& other = call.tensor("other");
    TORCH_CHECK(condition.scalar_type() == c10::kBool || condition.scalar_type() == c10::kByte,
                "where expects a condition of type bool, but got ", condition.scalar_type());
    return {elementwise(at::result_type(call.self(), other), {condition, call.self(), other})};
}

Results complex_of(const at::Tensor& a, const at::Tensor& b) {
    TORCH_CHECK(a.scalar_type() == b.scalar_type(), "Expected both parts of a complex number to be of one type, but got ",
                a.scalar_type(), " and ", b.scalar_type());
    return {elementwise(c10::toComplexType(a.scalar_type()), {a, b})};
}
Results complex(const MetaCall& call) { return complex_of(call.tensor("real"), call.tensor("imag")); }
Results polar(const MetaCall& call) { return complex_of(call.tensor("abs"), call.tensor("angle")); }

Results frexp(const MetaCall& call) {
    return {elementwise(call.self().scalar_type(), {call.self()}), elementwise(c10::kInt, {call.self()})};
}

Results prelu(const MetaCall& call) {
    return {elementwise(call.self().scalar_type(), {call.self(), call.tensor("weight")})};
}
Results prelu_backward(const MetaCall& call) {
    const at::Tensor gradient =
        elementwise(call.self().scalar_type(), {call.self(), call.tensor("weight"), call.tensor("grad_output")});
    return {gradient, dense_like(gradient)};
}

Results add_relu(const MetaCall& call) {
    const at::Tensor& other = call.tensor("other");
    return {elementwise(at::result_type(call.self(), other), {call.self(), other})};
}

/// The gradient of an elementwise function of `self`.
Results backward(const MetaCall& call) {
    return {elementwise(call.self().scalar_type(), {call.tensor("grad_output"), call.self()})};
}
/// The gradients of both halves, put together in the format that cat chooses.
Results glu_backward(const MetaCall& call) {
    return {empty(call.self().sizes(), call.self(), memory_format_of(call.self()))};
}

/// The output, and a buffer that only some CPU kernels fill.
Results log_sigmoid_forward(const MetaCall& call) {
    return {dense_like(call.self()), dense_like(call.self())};
}
Results log_sigmoid_backward(const MetaCall& call) {
    return {elementwise(call.self().scalar_type(), {call.self(), call.tensor("grad_output")})};
}

Results native_dropout(const MetaCall& call) {
    const at::Tensor& input = call.tensor("input");
    return {dense_like(input), dense_like(input, c10::kBool)};
}
Results native_dropout_backward(const MetaCall& call) {
    const at::Tensor& gradient = call.tensor("grad_output");
    return {empty(gradient.sizes(), gradient, float_type(gradient.scalar_type())).contiguous(memory_format_of(gradient))};
}
Results rrelu(const MetaCall& call) { return {dense_like(call.self())}; }
Results binomial(const MetaCall& call) { return {contiguous_like(call.tensor("count"))}; }
Results masked_softmax_backward(const MetaCall& call) { return {contiguous_like(call.tensor("grad_output"))}; }

constexpr Kernel kernels[] = {
    {"__lshift__.Scalar", promoted_with_scalar},
    {"__lshift__.Tensor", promoted_pair},
    {"__rshift__.Scalar", promoted_with_scalar},
    {"__rshift__.Tensor", promoted_pair},
    {"_add_relu.Tensor", add_relu},
    {"_add_relu.out", add_relu},
    {"_logcumsumexp", contiguous_self},
    {"_logcumsumexp.out", contiguous_self},
    {"_masked_softmax", contiguous_self},
    {"_masked_softmax_backward", masked_softmax_backward},
    {"_prelu_kernel", prelu},
    {"_prelu_kernel_backward", prelu_backward},
    {"_sample_dirichlet", contiguous_self},
    {"_standard_gamma", contiguous_self},
    {"_standard_gamma_grad", like_self},
    {"abs.out", magnitude},
    {"angle", angle},
    {"angle.out", angle},
    {"binomial", binomial},
    {"complex.out", complex},
    {"conj_physical.out", like_self},
    {"floor_divide", promoted_pair},
    {"floor_divide.out", promoted_pair},
    {"frexp.Tensor_out", frexp},
    {"glu_backward", glu_backward},
    {"glu_backward.grad_input", glu_backward},
    {"hardswish", like_self},
    {"hardswish.out", like_self},
    {"hardswish_backward", backward},
    {"hardtanh", like_self},
    {"hardtanh.out", like_self},
    {"hardtanh_backward", backward},
    {"hardtanh_backward.grad_input", backward},
    {"isnan", boolean},
    {"log_sigmoid_backward", log_sigmoid_backward},
    {"log_sigmoid_backward.grad_input", log_sigmoid_backward},
    {"log_sigmoid_forward", log_sigmoid_forward},
    {"log_sigmoid_forward.output", log_sigmoid_forward},
    {"logical_and.out", boolean_pair},
    {"logical_not.out", boolean},
    {"logical_or.out", boolean_pair},
    {"logical_xor.out", boolean_pair},
    {"logit", floating},
    {"logit.out", floating},
    {"mvlgamma.out", floating},
    {"nan_to_num.out", like_self},
    {"native_dropout", native_dropout},
    {"native_dropout_backward", native_dropout_backward},
    {"poisson", contiguous_self},
    {"polar.out", polar},
    {"relu", like_self},
    {"remainder.Scalar_Tensor", scalar_with_promoted},
    {"rrelu_with_noise", rrelu},
    {"rrelu_with_noise.out", rrelu},
    {"rsub.Tensor", promoted_pair},
    {"where.self", where},
    {"where.self_out", where},
};

} // namespace

std::span<const Kernel> elementwise_kernels() { return kernels; }

} // namespace inspector::meta_kernels
