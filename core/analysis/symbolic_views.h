// Where views of a symbolic base lie, for all sizes.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/analysis/symbolic_region.h"
#include "core/graph/graph.h"
#include "core/operators/operator_schema.h"

namespace inspector {

/// Of `view`(base, args…, kwargs…), `args` being those after self. `sizes`: of the view, as somebody else knows them.
/// nullopt where an index may count from the end or be cut at it at some sizes, and of views that are not known here:
/// known are select.int, slice.Tensor, diagonal, as_strided, and those that keep the offset (transpose, view, expand…)
/// where `strides`, the view's own, are given.
[[nodiscard]] std::optional<SymbolicLayout>
symbolic_view(const Graph& graph, const Operator& view, const SymbolicLayout& base, std::span<const Argument> args,
              const std::vector<NamedArgument>& kwargs, const std::vector<SymbolicSize>& sizes,
              const std::vector<SymbolicSize>* strides, const SizeOrder& order);

} // namespace inspector
