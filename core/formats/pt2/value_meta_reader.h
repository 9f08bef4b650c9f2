// TensorMeta, SymInt, SymFloat and SymBool of torch/_export/serde/schema.py.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>

#include "core/formats/pt2/json_tree.h"
#include "core/graph/argument.h"
#include "core/graph/tensor_meta.h"

namespace inspector::pt2 {

// The schema's numbers for enumerations, which are not c10's. These throw Malformed for a number that has no meaning.
[[nodiscard]] DType dtype_of(std::int64_t number);
[[nodiscard]] Layout layout_of(std::int64_t number);
[[nodiscard]] MemoryFormat memory_format_of(std::int64_t number);
/// {"type": "cuda", "index": 0} → "cuda:0".
[[nodiscard]] std::string device_of(Json& device);

/// Bytes from the first to behind the last element that a tensor of this layout reaches in its storage, offset
/// included; nullopt where a size is symbolic. Throws Malformed beyond 2^63.
[[nodiscard]] std::optional<std::int64_t> storage_bytes(const TensorMeta& meta);

/// Reads metadata of one program. Remembers expressions, which repeat a lot, and the sample values of symbols.
class ValueMetaReader {
public:
    /// Throws Malformed also for negative or absurd sizes: what no tensor can have.
    [[nodiscard]] TensorMeta tensor(Json& meta);
    /// SymInt, SymBool, SymFloat: {"as_expr": …} or {"as_int" | "as_bool" | "as_float": …}.
    [[nodiscard]] ScalarMeta scalar(ScalarMeta::Kind kind, Json& value);

    /// Sample value of each symbol met so far.
    [[nodiscard]] const std::map<std::string, std::int64_t>& hints() const { return hints_; }

private:
    SymbolicSize size(Json& value);
    SymbolicSize expression(Json& expression);

    std::unordered_map<std::string, SymbolicSize> expressions_;
    std::map<std::string, std::int64_t> hints_;
};

} // namespace inspector::pt2
