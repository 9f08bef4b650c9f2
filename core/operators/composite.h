// Operators that are no primitive: autograd and every backend see only the operators they are made of.
#pragma once

#include "core/operators/operator_schema.h"

namespace inspector {

/// Whether the dispatcher knows `op` as CompositeImplicitAutograd: linear, conv2d, layer_norm.
/// False for an operator this LibTorch does not register. Cost: a lookup of the dispatcher.
[[nodiscard]] bool is_composite(const Operator& op);

} // namespace inspector
