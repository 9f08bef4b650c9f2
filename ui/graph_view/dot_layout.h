// The layout Graphviz makes of the same rows: its program `dot` finds the order in each row and the places, we say
// which row every box is in. Text in, text out; running it is layout_request.h's.
#pragma once

#include <QByteArray>

#include "core/graph/result.h"
#include "ui/graph_view/row_assignment.h"

namespace inspector {

/// Input of `dot -Tplain`. Only numbers and names made here: nothing of the file gets into it.
[[nodiscard]] QByteArray dotSource(const LayoutInput& input, const RowAssignment& rows, const LayoutOptions& options);

/// What dot answered. Error: it is not the answer to this input, or broken off.
[[nodiscard]] Result<GraphLayout> readDotAnswer(const QByteArray& answer, const LayoutInput& input,
                                                const RowAssignment& rows, const LayoutOptions& options);

} // namespace inspector
