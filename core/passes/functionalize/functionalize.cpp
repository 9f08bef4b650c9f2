#include "core/passes/functionalize/functionalize.h"

#include <utility>

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

} // namespace inspector
