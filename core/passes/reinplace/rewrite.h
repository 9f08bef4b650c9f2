// What an accepted decision does to the graph and to the alias sets.
#pragma once

#include "core/passes/reinplace/check.h"

namespace inspector {

/// Calls `name_` instead: the result is written into self. Precondition: target.inplace.
void write_in_place(PassState& state, const Candidate& candidate);
/// Puts the view that the scatter inverts, and a copy_ of the source into it, before the scatter, which is doomed.
/// Precondition: target.inverse_view, and the source is a positional argument.
void copy_into_view(PassState& state, const Candidate& candidate);

/// The node's result is what self already holds: self stands for it, and the node is doomed.
void leave_out(PassState& state, const Candidate& candidate);

/// After any of these: the set of the result joins the set of self; later users of the result, and of every scatter that
/// became superfluous, use what these started from.
void hand_over(PassState& state, const Candidate& candidate);

/// Erases the doomed scatters. Nobody uses them any more.
void erase_doomed(PassState& state);

} // namespace inspector
