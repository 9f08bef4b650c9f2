#include "core/passes/decompose/decompose.h"

#include <utility>

namespace inspector {
namespace {

bool lies_in(const Program& program, std::size_t graph, std::size_t outer) {
    while (graph != outer && program.graphs[graph].parent) graph = *program.graphs[graph].parent;
    return graph == outer;
}

} // namespace

Result<Decomposition> decompose(const Program& program, std::size_t graph, const DecomposeSession::Options& options) {
    Decomposition made{program, {}, 0};
    for (std::size_t i = graph; i < program.graphs.size(); ++i) {
        if (!lies_in(program, i, graph)) continue;
        auto session = DecomposeSession::start(program.graphs[i], options);
        if (!session) return tl::unexpected(std::move(session.error()));
        (*session)->run_to_end();
        made.steps += (*session)->position();
        for (const LeftCall& call : (*session)->left())
            if ((*session)->graph().contains(call.node)) made.left.push_back({i, (*session)->graph().node(call.node).name, call});
        made.program.graphs[i] = (*session)->result();
    }
    return made;
}

} // namespace inspector
