#include <algorithm>

#include "core/graph/print.h"
#include "core/passes/reinplace/explain.h"

namespace inspector {
namespace {

/// Nodes that the decisions made so far made superfluous.
std::vector<NodeId> superfluous_nodes(const ReinplaceSession& session) {
    std::vector<NodeId> nodes;
    for (const NodeId id : session.original())
        if (session.is_superfluous(id)) nodes.push_back(id);
    return nodes;
}

bool rewrites(Verdict verdict) { return verdict == Verdict::reinplaced || verdict == Verdict::scatter_to_copy; }

std::vector<std::string> print(const Graph& graph, const std::vector<NodeId>& nodes) {
    std::vector<std::string> lines;
    for (const NodeId node : nodes)
        if (graph.contains(node)) lines.push_back(print_fx_node(graph, node));
    return lines;
}

} // namespace

ChangePreview preview_change(const ReinplaceSession& session, std::uint32_t index) {
    ChangePreview preview;
    if (index >= session.decision_nodes().size()) return preview;
    const NodeId node = session.decision_nodes()[index];
    bool changes = false;
    std::vector<NodeId> dropped;
    session.look_at(index + 1, [&] {
        changes = rewrites(session.decisions()[index].verdict);
        if (changes) dropped = superfluous_nodes(session);
    });
    if (!changes) return preview;

    std::vector<NodeId> touched{node};
    std::size_t id_limit = 0;
    session.look_at(index, [&] {
        const Graph& graph = session.graph();
        id_limit = graph.id_limit();
        std::erase_if(dropped, [&](NodeId id) { return session.is_superfluous(id); });
        touched.insert(touched.end(), dropped.begin(), dropped.end());
        for (const NodeId replaced : std::vector(touched))
            for (const NodeId user : graph.users(replaced)) touched.push_back(user);
        std::ranges::sort(touched, [&](NodeId a, NodeId b) { return graph.is_before(a, b); });
        const auto repeated = std::ranges::unique(touched);
        touched.erase(repeated.begin(), repeated.end());
        preview.before = print(graph, touched);
    });
    session.look_at(index + 1, [&] {
        const Graph& graph = session.graph();
        std::vector<NodeId> left;
        for (const NodeId created : graph)
            if (index_of(created) >= id_limit) left.push_back(created);
        for (const NodeId kept : touched)
            if (std::ranges::find(dropped, kept) == dropped.end()) left.push_back(kept);
        preview.after = print(graph, left);
    });
    return preview;
}

} // namespace inspector
