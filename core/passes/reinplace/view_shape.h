// Sizes, strides and offset of the four views that have a *_scatter as their inverse, computed without running them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/graph/argument.h"
#include "core/operators/infer.h"
#include "core/operators/operator_schema.h"

namespace inspector {

/// Where a view lies in its storage. Counts elements.
struct ViewShape {
    std::vector<std::int64_t> sizes;
    std::vector<std::int64_t> strides;
    std::int64_t offset = 0;
    friend bool operator==(const ViewShape&, const ViewShape&) = default;
};
[[nodiscard]] ViewShape shape_of(const TensorLayout& layout);

/// Shape of `view`(base, args…, kwargs…) for aten::select.int, slice.Tensor, diagonal and as_strided. `args` are those
/// after self. nullopt where torch would refuse the arguments, where one is a node, and for other operators.
[[nodiscard]] std::optional<ViewShape> view_shape(const Operator& view, const ViewShape& base,
                                                  std::span<const Argument> args,
                                                  const std::vector<NamedArgument>& kwargs);

} // namespace inspector
