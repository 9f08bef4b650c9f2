// A decision that kept a node although its operator has a form that writes into self: what proposals are made for.
#pragma once

#include <cstdint>

#include "core/passes/reinplace/session.h"

namespace inspector {

/// The policy kept the node, whose operator has an in-place form or is a scatter, since a check on metadata, memory or
/// layout failed. Not: what a person skipped or forced, and operators that have nothing to write in place. For types,
/// that is so where no type promotion leads from self to the result: eq_ of floats gives floats, so no form of eq gives
/// a bool. Precondition: decision `index` is made.
[[nodiscard]] bool is_refusal(const ReinplaceSession& session, std::uint32_t index);

/// The operator called by `node` computes in the type of its result: self may be converted to it before the call
/// instead of inside, by the kernel.
[[nodiscard]] bool computes_in_result_type(const ReinplaceSession& session, NodeId node, DType self, DType result);

} // namespace inspector
