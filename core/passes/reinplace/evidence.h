// Which nodes a check's answer rests on: collected when somebody looks, not while the pass runs.
#pragma once

#include <vector>

#include "core/passes/reinplace/check.h"

namespace inspector {

/// A decision's place in time: enough to ask again what a check saw.
struct Moment {
    NodeId node = no_node;
    NodeId self = no_node;
    AliasSets::State set = 0;   ///< of self's storage
    AliasSets::Time time = 0;
};

/// Witnesses of `check` at that moment. In program order of the nodes that decide; through_view witnesses follow the
/// later_use they belong to (there are none where it reads self itself), a matched_alias the scatter it belongs to.
///
///   metadata        self, result                      input_alias      self, input (the first on its storage);
///                                                                     copy_back (overwrites the input later)
///   argument_alias  self                              later_use        later_use with through_view; scatter with
///   scatter         scatter_base, operand (source)                     matched_alias for those that will be dropped
///   in-place forms  self
[[nodiscard]] std::vector<Witness> evidence(const PassState& state, const Moment& moment, CheckId check);

} // namespace inspector
