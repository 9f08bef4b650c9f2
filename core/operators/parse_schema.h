// Reading the schema language of torch's operators:
//
//     aten::split.Tensor(Tensor(a -> *) self, SymInt split_size, int dim=0) -> Tensor(a)[]
//     aten::add.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)
//
// The grammar is that of torch/csrc/jit/frontend/function_schema_parser.
#pragma once

#include <string_view>

#include "core/graph/result.h"
#include "core/operators/operator_schema.h"

namespace inspector {

/// `text` is one schema without tags. The error's place is "column N" and the reason says what was expected there.
/// `tags` and `registered_here` are left for the caller to fill.
[[nodiscard]] Result<Operator> parse_schema(std::string_view text);

/// The type by which torch compares arguments of two overloads: SymInt, ScalarType, Layout and MemoryFormat are int, and
/// a list's fixed length does not count ("SymInt[2]?" → "int[]?").
[[nodiscard]] std::string comparable_type(std::string_view type);

} // namespace inspector
