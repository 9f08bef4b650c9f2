#include "core/libtorch/operators/meta_kernels/meta_call.h"

#include <string>

namespace inspector::meta_kernels {

MetaCall::MetaCall(const c10::OperatorHandle& op, const torch::jit::Stack& stack)
    : schema_(op.schema()), arguments_(std::span(stack).last(schema_.arguments().size())) {}

const c10::IValue& MetaCall::value(std::string_view name) const {
    for (std::size_t i = 0; i < arguments_.size(); ++i)
        if (schema_.arguments()[i].name() == name) return arguments_[i];
    TORCH_CHECK(false, schema_.name(), " has no argument ", std::string(name), " in this LibTorch");
}

const at::Tensor& MetaCall::tensor(std::string_view name) const {
    static const at::Tensor undefined;
    const c10::IValue& argument = value(name);
    return argument.isTensor() ? argument.toTensor() : undefined;
}

std::vector<at::Tensor> MetaCall::tensors(std::string_view name) const { return value(name).toTensorVector(); }

std::int64_t MetaCall::integer(std::string_view name) const {
    const c10::IValue& argument = value(name);
    return argument.isInt() ? argument.toInt() : argument.toSymInt().expect_int();
}

std::optional<std::int64_t> MetaCall::optional_integer(std::string_view name) const {
    return is_none(name) ? std::nullopt : std::optional(integer(name));
}

bool MetaCall::flag(std::string_view name) const { return value(name).toBool(); }
at::Scalar MetaCall::number(std::string_view name) const { return value(name).toScalar(); }

Sizes MetaCall::integers(std::string_view name) const {
    const c10::IValue& argument = value(name);
    if (argument.isNone()) return {};
    if (argument.isIntList()) return argument.toIntVector();
    if (argument.isInt()) return {argument.toInt()};
    Sizes numbers;
    for (const c10::IValue& item : argument.toListRef())
        numbers.push_back(item.isInt() ? item.toInt() : item.toSymInt().expect_int());
    return numbers;
}

std::vector<bool> MetaCall::flags(std::string_view name) const {
    const auto list = value(name).toBoolList();
    return {list.begin(), list.end()};
}

std::optional<c10::ScalarType> MetaCall::dtype(std::string_view name) const {
    const c10::IValue& argument = value(name);
    return argument.isNone() ? std::nullopt : std::optional(argument.toScalarType());
}

} // namespace inspector::meta_kernels
