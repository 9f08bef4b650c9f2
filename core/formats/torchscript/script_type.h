// TorchScript's types as its graphs print them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/tensor_meta.h"

namespace inspector::torchscript {

/// "Tensor", and every tensor type that says more: "Float(4, 8)", "FloatTensor", "Long(requires_grad=0)".
[[nodiscard]] bool is_tensor_type(std::string_view type);
/// Layout that a type tells: "Float(4, 8, strides=[8, 1], requires_grad=0, device=cpu)". nullopt where the element type or
/// a size is left open.
[[nodiscard]] std::optional<TensorMeta> tensor_meta(std::string_view type);
/// What a node's result is by its type.
[[nodiscard]] ValueMeta value_meta(std::string_view type);
/// "Tensor" of "Tensor[]", "(Tensor, int)" of "(Tensor, int)?"; nullopt where `type` does not end so.
[[nodiscard]] std::optional<std::string_view> without_ending(std::string_view type, std::string_view ending);
/// A module's or class's type.
[[nodiscard]] bool is_class_type(std::string_view type);
/// Whether an argument of the schema's type `formal` ("Tensor?", "int[2]", "Scalar", "t[]") takes a value of `actual`.
[[nodiscard]] bool accepts(std::string_view formal, std::string_view actual);

} // namespace inspector::torchscript
