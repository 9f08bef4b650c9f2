// What an accepted decision does to the graph and to the alias sets.
#pragma once

#include "core/passes/reinplace/check.h"

namespace inspector {

/// Self and result are tensors, and self can be written: by an in-place variant, or through the view that a scatter
/// inverts.
[[nodiscard]] bool has_inplace_form(const PassState& state, const Candidate& candidate);
/// Writes the result into self: by whichever of the two, and hands over. Precondition: has_inplace_form.
void take_inplace_form(PassState& state, const Candidate& candidate, Decision& decision);

/// Calls `name_` instead: the result is written into self. Precondition: target.inplace.
void write_in_place(PassState& state, const Candidate& candidate);
/// Puts the view that the scatter inverts, and a copy_ of the source into it, before the scatter, which is doomed.
/// Precondition: target.inverse_view, and the source is a positional argument.
void copy_into_view(PassState& state, const Candidate& candidate);

/// A call that the pass makes, named as FX names it: "select_int", "copy__default".
NodeId insert_call(PassState& state, NodeId before, const Operator& op, std::vector<Argument> args,
                   std::vector<NamedArgument> kwargs, ValueMeta meta);
/// Of the view that `scatter` inverts by `view`, taken of `base`: expressions where sizes are symbolic.
[[nodiscard]] ValueMeta meta_of_view(const PassState& state, const Node& scatter, const Operator& view, NodeId base);

/// The node's result is what self already holds: self stands for it, and the node is doomed.
void leave_out(PassState& state, const Candidate& candidate);

/// After any of these: the set of the result joins the set of self; later users of the result, and of every scatter that
/// became superfluous, use what these started from.
void hand_over(PassState& state, const Candidate& candidate);

/// Erases the doomed scatters. Nobody uses them any more.
void erase_doomed(PassState& state);

} // namespace inspector
