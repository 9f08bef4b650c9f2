// What is known of a node's result, and symbolic sizes, as JSON.
//
// A tensor: {"tensor":{"dtype":"f32","sizes":[2,{"symbolic":"s0","hint":4}],"strides":[4,1],"offset":0,"device":"cpu"}}
#pragma once

#include "core/formats/session_document/json_document.h"
#include "core/graph/tensor_meta.h"

namespace inspector::session_document {

/// An integer, or {"symbolic": text as sympy prints it, "hint": sample value}.
[[nodiscard]] Json size_json(const SymbolicSize& size);
[[nodiscard]] SymbolicSize read_size(const Json& json);

[[nodiscard]] Json tensor_json(const TensorMeta& meta);
[[nodiscard]] TensorMeta read_tensor(const Json& json);

/// null for UnknownMeta.
[[nodiscard]] Json value_meta_json(const ValueMeta& meta);
[[nodiscard]] ValueMeta read_value_meta(const Json& json);

[[nodiscard]] std::string_view layout_name(Layout layout);
[[nodiscard]] Layout read_layout(const Json& json);
[[nodiscard]] DType read_dtype(const Json& json);

} // namespace inspector::session_document
