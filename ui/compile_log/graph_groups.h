// The graphs of a log by the compile they belong to.
#pragma once

#include <string>
#include <vector>

#include <QString>

#include "core/graph/program.h"

namespace inspector {

struct GraphGroup {
    QString title;                   ///< "compile 0/0", "rank_0 · compile 0/0", "model__0_inference_0.0"
    std::string compileId;
    std::vector<std::size_t> graphs; ///< indices of those that no other holds, in the file's order
};

/// In the order of their first graphs. Graphs without a compile id are grouped by the folder part of their ids.
[[nodiscard]] std::vector<GraphGroup> graphGroups(const Program& program);

/// Its kind, or its id where that says more; the log does not mark what belongs to the backward pass, but its inputs do.
[[nodiscard]] QString graphLabel(const ProgramGraph& graph);

/// What the log says, or for other files print_readable().
[[nodiscard]] QString graphText(const Program& program, std::size_t graph);

} // namespace inspector
