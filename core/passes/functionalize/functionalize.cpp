#include "core/passes/functionalize/functionalize.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "core/analysis/level.h"
#include "core/passes/functionalize/explain_step.h"
#include "core/passes/functionalize/mutation.h"

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
        const Graph& each = program.graphs[i].graph;
        return std::ranges::any_of(each, [&](NodeId id) { return is_there_for_its_effect(each, id); }) ||
               std::ranges::any_of(find_level(each).obstacles, [](const LevelObstacle& obstacle) {
                   return obstacle.kind == LevelObstacle::Kind::mutating;
               });
    });
    return is_mutating ? functionalize(program, graph, options) : program;
}

std::vector<std::string> taken_to_write_nothing(const Program& program, std::size_t graph) {
    std::set<std::string> targets;
    for (const std::size_t i : graphs_within(program, graph)) {
        const Graph& each = program.graphs[i].graph;
        for (const NodeId id : each)
            if (is_unknown_operator(each.node(id)) && !find_mutation(each, id))
                targets.insert(each.node(id).target.substr(std::string_view("torch.ops.").size()));
    }
    return {targets.begin(), targets.end()};
}

} // namespace inspector
