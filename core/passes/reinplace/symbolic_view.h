// Metadata of the view that a scatter inverts, where sizes are expressions.
#pragma once

#include <optional>

#include "core/graph/graph.h"
#include "core/operators/operator_schema.h"

namespace inspector {

/// Of `view`(base, the scatter's arguments after the source). Sizes are those of the scatter's source, which must equal
/// the region. Strides and offset follow from the base's, for aten::select.int, slice.Tensor, diagonal and as_strided; or
/// are those of an equal view of base that `graph` has. nullopt where something is not known: of an index without sample
/// value nobody can say whether it counts from the end.
[[nodiscard]] std::optional<TensorMeta> symbolic_view_meta(const Graph& graph, const Node& scatter, const Operator& view,
                                                           NodeId base, const TensorMeta& base_meta);

} // namespace inspector
