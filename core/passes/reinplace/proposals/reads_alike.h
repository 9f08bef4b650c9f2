// Whether a node computes the same bits, laid out the same way, when one of its operands is a copy.
#pragma once

#include "core/passes/reinplace/proposals/refused_node.h"

namespace inspector {

/// Stands for the copy in the arguments of a call that is not in the graph yet.
inline constexpr NodeId the_copy{0xFFFFFFFEU};

/// `call` is the reader's node with `the_copy`, which lies as `copy` says, in the place of `value`. False where it is
/// not known. `is_promotion`: the copy is what the operator's own type promotion would make of `value`.
[[nodiscard]] bool reads_alike(const RefusedNode& refused, NodeId reader, const Node& call, NodeId value,
                               const TensorLayout& copy, bool is_promotion = false);

} // namespace inspector
