// TensorMeta and SymInt of torch/_export/serde/schema.py, made from what a graph knows.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>

#include "core/formats/pt2/json_tree.h"
#include "core/graph/argument.h"
#include "core/graph/tensor_meta.h"

namespace inspector::pt2 {

// The schema's numbers; inverse of value_meta_reader.h's. Throw Malformed for what the schema has no number for.
[[nodiscard]] std::int64_t number_of(DType dtype);
[[nodiscard]] std::int64_t number_of(Layout layout);
[[nodiscard]] std::int64_t number_of(MemoryFormat format);
/// "cuda:0" → {"type": "cuda", "index": 0}.
[[nodiscard]] Json device_json(std::string_view device);

/// Writes metadata in the words of one program: expressions it already has keep their text, and symbols what is assumed
/// of them ("Symbol('s77', positive=True, integer=True)").
class ValueMetaWriter {
public:
    /// Learns the expressions in `graph`, which is not changed.
    void learn(Json& graph);

    /// What is not known becomes what a fresh tensor has: contiguous, offset 0, on the CPU, no gradient.
    [[nodiscard]] Json tensor(const TensorMeta& meta) const;
    /// Throws Malformed for an expression that sympy's text cannot be made of.
    [[nodiscard]] Json scalar(const ScalarMeta& meta) const;

private:
    Json size(const SymbolicSize& size) const;
    std::string text(const SymbolicSize& size) const;

    std::unordered_map<std::string, Json> expressions_;       ///< by printed text
    std::map<std::string, std::string, std::less<>> symbols_; ///< "s77" → its srepr
};

} // namespace inspector::pt2
