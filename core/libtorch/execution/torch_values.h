// Values of a run as torch holds them. Includes torch: only for core/libtorch.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include "core/execution/inputs.h"

namespace inspector {

struct RunInputs::State {
    std::vector<c10::IValue> placeholders;           ///< in the graph's order
    std::map<std::string, c10::IValue> attributes;   ///< by get_attr target
    std::map<std::string, std::int64_t> sizes;       ///< of every symbol
};

/// Copies of all tensors in `values`, lists included. Two that share a storage share the copy's; layouts are kept.
[[nodiscard]] std::vector<c10::IValue> copy_with_storages(const std::vector<c10::IValue>& values);

/// Calls `visit` for every tensor in the value, depth first.
template <typename Visit> void for_each_tensor(const c10::IValue& value, const Visit& visit) {
    if (value.isTensor()) {
        if (value.toTensor().defined()) visit(value.toTensor());
    } else if (value.isTuple()) {
        for (const c10::IValue& item : value.toTupleRef().elements()) for_each_tensor(item, visit);
    } else if (value.isList()) {
        for (const c10::IValue& item : value.toListRef()) for_each_tensor(item, visit);
    }
}

} // namespace inspector
