#include "core/graph/program.h"

#include <algorithm>

#include "core/graph/nesting.h"

namespace inspector {

std::vector<std::size_t> graphs_within(const Program& program, std::size_t graph) {
    return Nesting(program).within(graph);
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
