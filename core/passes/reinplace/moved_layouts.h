// What becomes of the layouts of a result, and of the views of it, when the result is written into other memory.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/passes/reinplace/pass_state.h"

namespace inspector {

struct MovedLayouts {
    std::vector<Placements::Moved> values;   ///< every value born on the result's storage
    NodeId obstacle = no_node;               ///< a view that is no longer possible, or a node whose result would change
    std::string why;                         ///< empty: nothing stands against it
};

/// `node`'s result taken to lie where `place` says. Guarantees, where there is no obstacle: every view of the result
/// exists and means the same elements; neither `node` nor one that reads them computes other bits or chooses another
/// layout; no returned value has other strides.
///
/// Same strides, other offset: views shift with it, and readers see the same numbers in the same order. Kernels that are
/// known to choose their code by the address (matrix products) may then only be moved by whole cache lines, whether they
/// read there or write.
/// Other strides: only readers that round exactly or move data may see them, since a kernel's vectorised path and its
/// order of summation depend on strides.
[[nodiscard]] MovedLayouts move_result(const PassState& state, NodeId node, const TensorLayout& place);

} // namespace inspector
