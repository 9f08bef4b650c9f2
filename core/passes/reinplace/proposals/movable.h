// Which nodes can stand earlier without anybody noticing.
#pragma once

#include <optional>
#include <vector>

#include "core/passes/reinplace/proposals/refused_node.h"

namespace inspector {

/// `wanted` and all they need that does not stand before the refused node yet, in program order: moved before it, every
/// one computes what it does now. nullopt where one needs the refused node's result, writes, draws random numbers,
/// reads what is written in between, or does what nobody knows; or where they are too many to call it a small change.
[[nodiscard]] std::optional<std::vector<NodeId>> movable_before(const RefusedNode& refused,
                                                                const std::vector<NodeId>& wanted);

} // namespace inspector
