#include "core/passes/reinplace/changed_layouts.h"

#include <algorithm>

#include "core/analysis/data_access.h"

namespace inspector {

bool changes_layout(const Operator& op) { return op.has_tag("inplace_view") && op.name != "aten::detach_"; }

std::vector<NodeId> changed_layouts(const Graph& graph, const std::vector<const Target*>& targets) {
    std::vector<NodeId> used(graph.id_limit(), no_node);
    const auto is_change = [&](NodeId id) {
        const Operator* op = targets[index_of(id)]->op;
        return op && changes_layout(*op);
    };
    if (std::ranges::none_of(graph, is_change)) return used;

    std::vector<NodeId> changed(graph.id_limit(), no_node);
    std::vector<std::vector<NodeId>> names(graph.id_limit()); // of one tensor, by the first of them
    std::vector<NodeId> first(graph.id_limit(), no_node);
    for (const NodeId id : graph) {
        const Node& node = graph.node(id);
        const Operator* op = targets[index_of(id)]->op;
        NodeId& own = first[index_of(id)] = id;
        for (const NodeId input : graph.inputs(id)) {
            if (const NodeId by = changed[index_of(input)]; by != no_node) {
                used[index_of(input)] = by;
                if (node.opcode != Opcode::output) used[index_of(id)] = changed[index_of(id)] = by;
            }
            if (writes_elements(graph, op, id, input)) own = first[index_of(input)]; // returned
        }
        if (is_change(id))
            for (const NodeId name : names[index_of(own)]) changed[index_of(name)] = id;
        names[index_of(own)].push_back(id);
    }
    return used;
}

} // namespace inspector
