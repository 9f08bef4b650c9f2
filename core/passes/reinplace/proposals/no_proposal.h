// Why no change would let a node be reinplaced.
#pragma once

#include <cstdint>

#include "core/passes/reinplace/sentence.h"
#include "core/passes/reinplace/session.h"

namespace inspector {

/// "its in-place form would give i64, the type of %x, and the result is f32". Without capital and period. For a
/// decision that no proposal was found for, or that is no refusal.
[[nodiscard]] Sentence why_no_proposal(const ReinplaceSession& session, std::uint32_t index);

} // namespace inspector
