#include "core/passes/functionalize/functionalize.h"

#include <algorithm>
#include <utility>

#include "core/analysis/level.h"
#include "core/passes/functionalize/explain_step.h"

namespace inspector {

Result<Program> functionalize(const Program& program, std::size_t graph, FunctionalizeSession::Options options) {
    Program made = program;
    for (const std::size_t i : graphs_within(program, graph)) {
        const auto session = FunctionalizeSession::start(program, i, options);
        session->run_to_end();
        if (session->refusal() != MutationRefusal::none) {
            const bool is_step = !session->at_end();
            const std::string node = is_step ? "%" + session->original().node(session->steps().back().node).name : "output";
            return fail("graph " + program.graphs[i].id + ", " + node, explain_refusal(*session));
        }
        made.graphs[i] = session->result();
    }
    return made;
}

Result<Program> functional_form(const Program& program, std::size_t graph, FunctionalizeSession::Options options) {
    const bool is_mutating = std::ranges::any_of(graphs_within(program, graph), [&](std::size_t i) {
        return std::ranges::any_of(find_level(program.graphs[i].graph).obstacles, [](const LevelObstacle& obstacle) {
            return obstacle.kind == LevelObstacle::Kind::mutating;
        });
    });
    return is_mutating ? functionalize(program, graph, options) : program;
}

} // namespace inspector
