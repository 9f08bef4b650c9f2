#include "core/passes/functionalize/in_place_views.h"

#include "core/operators/operator_table.h"
#include "core/passes/functionalize/mutation.h"

namespace inspector {
namespace {

/// Returns the tensor it is given first.
bool returns_self(const Operator& op) {
    return op.is_mutable && op.returns.size() == 1 && op.returns[0].alias && op.returns[0].alias->is_write &&
           !op.arguments.empty() && op.arguments[0].alias && op.arguments[0].alias->is_write;
}

} // namespace

InPlaceViews replace_in_place_views(Graph& graph) {
    InPlaceViews result;
    std::vector<NodeId> first_name(graph.id_limit(), no_node); // of the tensor that a node holds
    std::vector<std::vector<NodeId>> names(graph.id_limit());   // of a tensor, by its first name
    for (const NodeId id : graph) {
        first_name[index_of(id)] = id;
        names[index_of(id)] = {id};
        const Node& node = graph.node(id);
        if (node.opcode != Opcode::call_function) continue;
        const Operator* op = OperatorTable::instance().find(node.target);
        const NodeId self = op && op->is_mutable && !node.args.empty() ? node.args[0].node() : no_node;
        if (self == no_node || !returns_self(*op)) continue;
        const NodeId tensor = first_name[index_of(self)];
        const Operator* view = view_made_in_place(*op);
        if (!view) {
            first_name[index_of(id)] = tensor;
            names[index_of(tensor)].push_back(id);
            continue;
        }
        const Opcode origin = graph.node(tensor).opcode;
        const bool is_input = origin == Opcode::placeholder || origin == Opcode::get_attr;
        if (is_input && op->name != "aten::detach_") {
            result.refused.push_back(id);
            continue;
        }
        graph.set_target(id, "torch.ops." + view->short_target());
        for (const NodeId name : names[index_of(tensor)])
            for (const NodeId user : graph.users(name))
                if (graph.is_before(id, user)) graph.replace_input(user, name, id);
        result.changed.push_back(id);
    }
    return result;
}

} // namespace inspector
