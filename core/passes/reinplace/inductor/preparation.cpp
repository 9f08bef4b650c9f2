#include "core/passes/reinplace/inductor/preparation.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace inspector {
namespace {

bool writes(const Target& target) { return target.op && target.op->is_mutable; }

/// Operators that do more than compute a result (torch.fx.node._side_effectful_functions).
bool has_side_effects(const Node& node, const Target& target) {
    constexpr std::array<std::string_view, 11> names{"aten._assert_async.msg",
                                                     "aten._assert_scalar.default",
                                                     "aten._assert_tensor_metadata.default",
                                                     "aten.sym_constrain_range.default",
                                                     "aten.sym_constrain_range_for_size.default",
                                                     "prims._sink_tokens.default",
                                                     "_c10d_functional.wait_tensor.default",
                                                     "_c10d_functional.isend.default",
                                                     "_c10d_functional.irecv.default",
                                                     "_c10d_functional.batch_p2p_ops.default",
                                                     "call_torchbind"};
    constexpr std::array<std::string_view, 4> namespaces{"profiler.", "streams.", "fsdp.copy_", "control_deps"};
    if (node.opcode != Opcode::call_function) return node.opcode != Opcode::get_attr;
    if (std::ranges::find(names, target.short_name) != names.end()) return true;
    return writes(target) || std::ranges::any_of(namespaces, [&](std::string_view start) {
               return target.short_name.starts_with(start);
           });
}

std::vector<NodeId> in_order(const Graph& graph) { return {graph.begin(), graph.end()}; }

} // namespace

std::vector<bool> dead_nodes(const Graph& graph, const std::vector<const Target*>& targets) {
    std::vector<bool> is_dead(graph.id_limit(), false);
    const std::vector<NodeId> nodes = in_order(graph);
    for (auto id = nodes.rbegin(); id != nodes.rend(); ++id) {
        if (has_side_effects(graph.node(*id), *targets[index_of(*id)])) continue;
        const std::vector<NodeId> users = graph.users(*id);
        is_dead[index_of(*id)] = std::ranges::all_of(users, [&](NodeId user) { return is_dead[index_of(user)]; });
    }
    return is_dead;
}

bool is_for_inference(const Graph& graph) {
    return std::ranges::none_of(graph.placeholders(), [&](NodeId input) {
        const std::string& name = graph.node(input).name;
        return name.starts_with("primals_") || name.starts_with("tangents_");
    });
}

void reorder_for_locality(Graph& graph, const std::vector<const Target*>& targets, const std::vector<bool>& is_dead) {
    const auto target = [&](NodeId id) -> const Target& { return *targets[index_of(id)]; };
    const std::vector<NodeId> given = in_order(graph);
    // Writes counted up to each node: nothing moves past one.
    std::vector<std::uint32_t> region(graph.id_limit(), 0);
    std::uint32_t count = 0;
    NodeId first_copy = no_node;
    for (const NodeId id : given) {
        if (is_dead[index_of(id)]) continue;
        if (id != given.front() && writes(target(id))) ++count;
        region[index_of(id)] = count;
        if (first_copy == no_node && target(id).short_name == "aten.copy_.default") first_copy = id;
    }

    std::vector<bool> seen(graph.id_limit(), false);
    const auto may_move = [&](NodeId producer, NodeId before) {
        const Node& node = graph.node(producer);
        if (node.opcode != Opcode::call_function || target(producer).is_getitem) return false;
        const std::vector<NodeId> users = graph.users(producer);
        if (!std::ranges::all_of(users, [&](NodeId user) { return seen[index_of(user)] || is_dead[index_of(user)]; }))
            return false;
        return region[index_of(producer)] == region[index_of(before)] &&
               target(before).short_name != "_c10d_functional.wait_tensor.default" &&
               !(target(producer).op && target(producer).op->has_tag("nondeterministic_seeded"));
    };
    bool before_copies = first_copy == no_node;
    for (NodeId id = graph.last(); id != no_node; id = graph.previous(id)) {
        if (is_dead[index_of(id)]) continue;
        seen[index_of(id)] = true;
        if (!before_copies) {
            before_copies = id == first_copy;
            continue;
        }
        const std::vector<Argument> args = graph.node(id).args;
        const std::vector<NamedArgument> kwargs = graph.node(id).kwargs;
        const auto visit = [&](NodeId producer) {
            if (may_move(producer, id)) graph.move_before(producer, id);
        };
        for (const Argument& argument : args) for_each_reference(argument, visit);
        for (const auto& [name, argument] : kwargs) for_each_reference(argument, visit);
    }

    for (const NodeId id : given) {
        if (!is_dead[index_of(id)]) continue;
        NodeId last = no_node;
        for (const NodeId input : graph.inputs(id))
            if (last == no_node || graph.is_before(last, input)) last = input;
        if (last != no_node && graph.is_before(id, last)) graph.move_before(id, graph.next(last));
    }
}

} // namespace inspector
