// The node reads a copy of the operand that shares memory with self.
#include "core/passes/reinplace/proposals/copies.h"
#include "core/passes/reinplace/proposals/kinds.h"
#include "core/passes/reinplace/proposals/reads_alike.h"

namespace inspector {
namespace {

/// `node` with `to` for `from` everywhere but in its first argument.
Node with_operand(Node node, NodeId from, NodeId to) {
    for (std::size_t i = 1; i < node.args.size(); ++i) node.args[i] = with_reference(node.args[i], from, to);
    for (auto& [name, argument] : node.kwargs) argument = with_reference(argument, from, to);
    return node;
}

/// The decision names operands as they are called after the rewrites before it: the first that lies on the same
/// storages.
NodeId original_operand(const RefusedNode& refused) {
    const NodeId named = refused.witness(WitnessRole::operand);
    const Node &before = refused.graph().node(refused.node), &now = refused.session.graph().node(refused.node);
    std::vector<NodeId> old_names, new_names;
    const auto collect = [](const Node& node, std::vector<NodeId>& names) {
        for (std::size_t i = 1; i < node.args.size(); ++i)
            for_each_reference(node.args[i], [&](NodeId id) { names.push_back(id); });
        for (const NamedArgument& named_argument : node.kwargs)
            for_each_reference(named_argument.second, [&](NodeId id) { names.push_back(id); });
    };
    collect(before, old_names);
    collect(now, new_names);
    for (std::size_t i = 0; i < old_names.size() && i < new_names.size(); ++i)
        if (new_names[i] == named) return old_names[i];
    return no_node;
}

} // namespace

std::vector<Change> clone_operand(const RefusedNode& refused) {
    if (refused.decision.check != CheckId::argument_alias) return {};
    const NodeId operand = original_operand(refused);
    if (operand == no_node) return {};
    const auto copy = clone_of(refused, operand);
    const Node& node = refused.graph().node(refused.node);
    if (!copy || !reads_alike(refused, refused.node, with_operand(node, operand, the_copy), operand, copy->layout))
        return {};
    SentenceWriter words(refused.graph());
    words << "let " << refused.node << " read a clone of " << operand;
    return {{ChangeKind::clone_operand,
             {refused.node, operand},
             words.take(),
             [copy = *copy, operand, id = refused.node](ChangedProgram& changed) {
                 Graph& graph = changed.program.graph;
                 const Node call = with_operand(graph.node(id), operand, insert_copy(graph, copy, operand, id));
                 graph.set_arguments(id, call.args, call.kwargs);
             }}};
}

} // namespace inspector
