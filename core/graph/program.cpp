#include "core/graph/program.h"

#include <algorithm>

namespace inspector {

std::vector<std::size_t> graphs_within(const Program& program, std::size_t graph) {
    std::vector<std::size_t> found{graph};
    std::vector<bool> is_within(program.graphs.size(), false);
    is_within[graph] = true;
    for (std::size_t i = graph + 1; i < program.graphs.size(); ++i) { // a parent stands before what is nested in it
        const auto& parent = program.graphs[i].parent;
        is_within[i] = parent && is_within[*parent];
        if (is_within[i]) found.push_back(i);
    }
    return found;
}

const SavedSession* saved_on(const Program& program, std::size_t graph) {
    if (program.saved && program.saved->graph == graph) return &*program.saved;
    const auto other = std::ranges::find(program.other_sessions, graph, &SavedSession::graph);
    return other != program.other_sessions.end() ? &*other : nullptr;
}

void set_origin(SavedSession& saved, const Program& program) {
    saved.origin = program.saved ? program.saved->origin : program.path;
    saved.origin_format = program.saved ? program.saved->origin_format : program.format;
}

const std::string& weights_path(const Program& program) { return program.archive ? program.archive->path : program.path; }

} // namespace inspector
