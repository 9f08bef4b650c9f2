#include "core/formats/reproduction/slice.h"

#include <algorithm>
#include <utility>

namespace inspector {
namespace {

Argument mapped(const Argument& argument, const std::vector<NodeId>& places) {
    if (const NodeId node = argument.node(); node != no_node) return NodeReference{places[index_of(node)]};
    if (const auto* list = argument.as<ArgumentList>()) {
        ArgumentList copy{list->kind, {}};
        for (const Argument& item : list->items) copy.items.push_back(mapped(item, places));
        return copy;
    }
    if (const auto* dict = argument.as<ArgumentDict>()) {
        ArgumentDict copy;
        for (const auto& [key, item] : dict->items) copy.items.emplace_back(key, mapped(item, places));
        return copy;
    }
    return argument;
}

/// What the file does not say, as it was found out. Symbolic sizes stay.
void complete(ValueMeta& meta, const TensorLayout& layout) {
    if (!std::holds_alternative<TensorMeta>(meta)) {
        TensorMeta made;
        made.dtype = layout.dtype;
        made.sizes.assign(layout.sizes.begin(), layout.sizes.end());
        meta = std::move(made);
    }
    TensorMeta& tensor = std::get<TensorMeta>(meta);
    const bool is_symbolic = std::ranges::any_of(tensor.sizes, [](const SymbolicSize& size) { return !size.is_constant(); });
    if (!tensor.strides && !is_symbolic) tensor.strides.emplace(layout.strides.begin(), layout.strides.end());
    if (!tensor.device) tensor.device = layout.device;
}

} // namespace

Graph graph_of(const Graph& original, const GraphFacts& facts, const Slice& slice) {
    std::vector<bool> needed(original.id_limit());
    for (const NodeId id : original)
        if (slice.kept[index_of(id)])
            for (const NodeId input : original.inputs(id)) needed[index_of(input)] = true;

    Graph graph;
    std::vector<NodeId> places(original.id_limit(), no_node);
    for (const NodeId id : original) {
        if (slice.kept[index_of(id)] || !needed[index_of(id)]) continue;
        const Node& node = original.node(id);
        Node input;
        input.opcode = Opcode::placeholder;
        input.name = input.target = node.name;
        input.meta = node.meta;
        if (const TensorLayout* layout = facts.tensor(id)) complete(input.meta, *layout);
        places[index_of(id)] = graph.append(std::move(input));
    }
    for (const NodeId id : original) {
        if (!slice.kept[index_of(id)]) continue;
        Node node = original.node(id);
        node.origin = {};
        if (const TensorLayout* layout = facts.tensor(id); layout && node.opcode == Opcode::get_attr) complete(node.meta, *layout);
        for (Argument& argument : node.args) argument = mapped(argument, places);
        for (auto& [name, argument] : node.kwargs) argument = mapped(argument, places);
        places[index_of(id)] = graph.append(std::move(node));
    }
    ArgumentList results{ArgumentList::Kind::tuple, {}};
    for (const NodeId id : slice.returned) results.items.emplace_back(NodeReference{places[index_of(id)]});
    Node output;
    output.opcode = Opcode::output;
    output.name = output.target = "output";
    output.args.emplace_back(std::move(results));
    graph.append(std::move(output));
    return graph;
}

} // namespace inspector
