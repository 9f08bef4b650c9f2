// Our own layout: rows in program order, four barycentre sweeps, then places that keep chains straight.
#pragma once

#include "ui/graph_view/graph_layout.h"

namespace inspector {

/// Near linear: 10,000 boxes take some 20 ms. Deterministic.
[[nodiscard]] GraphLayout layered_layout(const LayoutInput& input, const LayoutOptions& options = {});

} // namespace inspector
