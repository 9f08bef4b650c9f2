// A node of any graph, shown or made, on one line.
#pragma once

#include <QString>

#include "core/graph/graph.h"

namespace inspector {

/// "name = aten.op(arguments)".
[[nodiscard]] QString lineText(const Graph& graph, NodeId node);

} // namespace inspector
