// What Inductor does to the graph once it has decided to reinplace. Custom operators are called at once, as a later
// pass of Inductor does: auto_functionalized cannot say what it leaves uncloned.
#pragma once

#include "core/passes/reinplace/check.h"

namespace inspector {

/// Precondition of what follows: the table check has passed.
[[nodiscard]] bool can_write_as_inductor(const PassState& state, const Candidate& candidate);

/// Writes the operands that are in_place. Copies of them into inputs go; users of the result use what was written.
void write_as_inductor(PassState& state, const Candidate& candidate, Decision& decision);

} // namespace inspector
