// What a kernel of this folder sees of a call: arguments by the names their schema gives them, results as a list.
//
// A rule describes the results' layouts and never looks at data. It refuses arguments that the operator refuses with
// TORCH_CHECK; MetaExecutor turns the exception into an Error. Rules follow torch 2.13's fake tensors, which the
// tests compare them with (tests/data/operators/make_meta_cases.py).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

namespace inspector::meta_kernels {

using Sizes = std::vector<std::int64_t>;

class MetaCall {
public:
    MetaCall(const c10::OperatorHandle& op, const torch::jit::Stack& stack);

    /// Undefined where the argument is None.
    [[nodiscard]] const at::Tensor& tensor(std::string_view name) const;
    [[nodiscard]] const at::Tensor& self() const { return tensor("self"); }
    [[nodiscard]] std::vector<at::Tensor> tensors(std::string_view name) const;
    [[nodiscard]] std::int64_t integer(std::string_view name) const;
    [[nodiscard]] std::optional<std::int64_t> optional_integer(std::string_view name) const;
    [[nodiscard]] bool flag(std::string_view name) const;
    [[nodiscard]] at::Scalar number(std::string_view name) const;
    /// Empty where the argument is None.
    [[nodiscard]] Sizes integers(std::string_view name) const;
    [[nodiscard]] std::vector<bool> flags(std::string_view name) const;
    [[nodiscard]] std::optional<c10::ScalarType> dtype(std::string_view name = "dtype") const;
    [[nodiscard]] bool is_none(std::string_view name) const { return value(name).isNone(); }

private:
    [[nodiscard]] const c10::IValue& value(std::string_view name) const;

    const c10::FunctionSchema& schema_;
    std::span<const c10::IValue> arguments_;
};

using Results = std::vector<at::Tensor>;
using Rule = Results (*)(const MetaCall&);

/// `name` as in the schema: "prod", "var.correction", "abs.out". The results of an out= form are written into its out
/// arguments, those of an operator that returns nothing are dropped.
struct Kernel {
    const char* name;
    Rule rule;
};

std::span<const Kernel> attention_kernels();
std::span<const Kernel> convolution_kernels();
std::span<const Kernel> elementwise_kernels();
std::span<const Kernel> factory_kernels();
std::span<const Kernel> fourier_kernels();
std::span<const Kernel> indexing_kernels();
std::span<const Kernel> linear_algebra_kernels();
std::span<const Kernel> loss_kernels();
std::span<const Kernel> normalization_kernels();
std::span<const Kernel> pooling_kernels();
/// Of the namespace prims; all others are aten's.
std::span<const Kernel> prim_kernels();
std::span<const Kernel> quantization_kernels();
std::span<const Kernel> reduction_kernels();

} // namespace inspector::meta_kernels
