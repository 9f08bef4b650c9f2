// The pickles of a TorchScript archive as data. Nothing is imported or called: a module is its class's name and its state,
// a tensor its layout and the record that holds it; whatever else a pickle would make is kept as unknown.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/graph/result.h"
#include "core/graph/tensor_meta.h"

namespace inspector::torchscript {

/// Index in Pickle::values.
enum class PickleId : std::uint32_t {};

struct PickledTensor {
    TensorMeta meta;
    std::string storage;          ///< the record's name, without the pickle's folder
    std::int64_t storage_size = 0; ///< elements
};
struct PickledList { std::vector<PickleId> items; bool is_tuple = false; };
struct PickledDict { std::vector<std::pair<PickleId, PickleId>> items; };
/// "torch FloatStorage" is "torch.FloatStorage".
struct PickledGlobal { std::string name; };
struct PickledObject {
    std::string class_name;
    std::optional<PickleId> state;
};
/// What a function would make: its name.
struct PickledUnknown { std::string name; };

using PickleValue = std::variant<std::monostate, bool, std::int64_t, double, std::string, PickledTensor, PickledList,
                                 PickledDict, PickledGlobal, PickledObject, PickledUnknown>;

struct Pickle {
    std::vector<PickleValue> values;
    PickleId root{};
    [[nodiscard]] const PickleValue& operator[](PickleId id) const { return values[static_cast<std::uint32_t>(id)]; }
    [[nodiscard]] const PickleValue& top() const { return (*this)[root]; }
};

/// Reads the opcodes that torch writes. Errors name the byte: an unknown opcode, a pickle that is cut, one that takes what
/// is not there, or a tensor whose sizes and strides do not fit its storage.
[[nodiscard]] Result<Pickle> read_pickle(std::string_view bytes);

} // namespace inspector::torchscript
