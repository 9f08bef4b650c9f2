// The layout of a call's result when its operands lie otherwise than the graph says.
#pragma once

#include <functional>
#include <optional>

#include "core/graph/graph.h"
#include "core/operators/infer.h"

namespace inspector {

/// Runs `op` on metadata with the arguments of `node`, each node among them standing for what `value_of` gives. nullopt
/// where that gives nothing for one, or the operator does not take them.
[[nodiscard]] std::optional<MetaValue> infer_call(MetaExecutor& executor, const Operator& op, const Node& node,
                                                  const std::function<std::optional<MetaValue>(NodeId)>& value_of);

} // namespace inspector
