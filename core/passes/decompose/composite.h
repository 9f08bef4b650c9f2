// What takes apart composite operators without a rule of their own: their kernel in LibTorch, traced.
#pragma once

#include "core/passes/decompose/call.h"

namespace inspector::decomposition {

/// Whether the dispatcher has a composite kernel for the operator.
[[nodiscard]] bool can_trace(const Operator& op);

/// A rule for every composite operator (core/operators/composite_trace.h). With symbols it traces at several sizes, and takes
/// only what makes the same calls at all of them.
Values traced(Call& call);

} // namespace inspector::decomposition
