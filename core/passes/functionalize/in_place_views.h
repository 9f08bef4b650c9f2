// squeeze_, transpose_, detach_ and the like give a tensor another shape and write no element. Out of place they are views.
#pragma once

#include <vector>

#include "core/graph/graph.h"

namespace inspector {

struct InPlaceViews {
    std::vector<NodeId> changed; ///< now call the view; program order
    std::vector<NodeId> refused; ///< give an input another shape, which its caller sees; left as they are
};

/// Makes views of them, and lets every later use of the tensor, under any of its names, refer to the view.
InPlaceViews replace_in_place_views(Graph& graph);

} // namespace inspector
