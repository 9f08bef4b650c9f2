#include "core/passes/decompose/decompose.h"

#include <utility>

namespace inspector {

Result<Decomposition> decompose(const Program& program, std::size_t graph, const DecomposeSession::Options& options) {
    Decomposition made{program, {}, 0, nullptr};
    for (const std::size_t i : graphs_within(program, graph)) {
        auto session = DecomposeSession::start(program.graphs[i], options);
        if (!session) return tl::unexpected(std::move(session.error()));
        (*session)->run_to_end();
        made.steps += (*session)->position();
        for (const LeftCall& call : (*session)->left())
            if ((*session)->graph().contains(call.node)) made.left.push_back({i, (*session)->graph().node(call.node).name, call});
        made.program.graphs[i] = (*session)->result();
        if (i == graph) made.session = std::move(*session);
    }
    return made;
}

} // namespace inspector
