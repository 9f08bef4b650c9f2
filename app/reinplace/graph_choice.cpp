#include "app/reinplace/graph_choice.h"

#include <algorithm>
#include <utility>

namespace inspector {
namespace {

/// "root, true_graph_0, … (12 in all)".
std::string ids_of(const std::vector<const ProgramGraph*>& graphs) {
    constexpr std::size_t most = 20;
    std::string text;
    for (std::size_t i = 0; i < std::min(graphs.size(), most); ++i) text += (i == 0 ? "" : ", ") + graphs[i]->id;
    if (graphs.size() > most) text += ", … (" + std::to_string(graphs.size()) + " in all)";
    return text;
}

tl::unexpected<Error> failure(const Program& program, std::string reason) {
    return tl::unexpected<Error>(Error{program.path, {}, std::move(reason)});
}

} // namespace

Result<std::vector<std::size_t>> choose_graphs(const Program& program, const std::string& id) {
    std::vector<std::size_t> chosen;
    std::vector<const ProgramGraph*> all;
    for (std::size_t i = 0; i < program.graphs.size(); ++i) {
        all.push_back(&program.graphs[i]);
        if (id.empty() || program.graphs[i].id == id) chosen.push_back(i);
    }
    if (chosen.empty()) return failure(program, "there is no graph " + id + "; the file holds " + ids_of(all));
    return chosen;
}

Result<std::size_t> choose_graph(const Program& program, const std::string& id) {
    if (!id.empty()) return choose_graphs(program, id).map([](const auto& chosen) { return chosen.front(); });
    std::vector<const ProgramGraph*> roots;
    for (const ProgramGraph& graph : program.graphs)
        if (!graph.parent) roots.push_back(&graph);
    if (roots.size() == 1) return static_cast<std::size_t>(roots.front() - program.graphs.data());
    return failure(program, "the file holds several graphs; choose one with --graph: " + ids_of(roots));
}

} // namespace inspector
