#include "core/passes/functionalize/dead_code.h"

#include <string_view>

#include "core/operators/operator_table.h"

namespace inspector {

bool is_removable(const Node& node) {
    if (node.opcode == Opcode::get_attr) return true;
    if (node.opcode != Opcode::call_function) return false;
    const std::string_view target = node.target;
    if (!target.starts_with("torch.ops."))
        return target == "operator.getitem" || target == "_operator.getitem" || target.starts_with("math.") ||
               target.starts_with("torch.sym_") || target.starts_with("torch._sym_") ||
               std::holds_alternative<ScalarMeta>(node.meta);
    const Operator* op = OperatorTable::instance().find(target);
    return op && !op->is_mutable && !op->returns.empty() && !op->has_tag("nondeterministic_seeded");
}

std::vector<NodeId> eliminate_dead_code(Graph& graph) {
    std::vector<NodeId> erased;
    for (NodeId id = graph.last(); id != no_node;) {
        const NodeId previous = graph.previous(id);
        if (!graph.has_users(id) && is_removable(graph.node(id))) {
            graph.erase(id);
            erased.push_back(id);
        }
        id = previous;
    }
    return erased;
}

} // namespace inspector
