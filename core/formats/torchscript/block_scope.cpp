#include "core/formats/torchscript/block_scope.h"

#include <algorithm>
#include <cctype>

namespace inspector::torchscript {

NodeId BlockScope::placeholder_for(NodeId outer) {
    if (const auto known = captures.find(outer); known != captures.end()) return known->second;
    const Node& source = parent->graph.node(outer);
    Node node;
    node.opcode = Opcode::placeholder;
    node.name = graph.fresh_name(source.name);
    node.target = node.name;
    node.meta = source.meta;
    NodeId last = no_node; // placeholders stand first
    for (NodeId each = graph.first(); each != no_node && graph.node(each).opcode == Opcode::placeholder; each = graph.next(each))
        last = each;
    const NodeId placeholder = graph.insert_after(last, std::move(node));
    captures.emplace(outer, placeholder);
    captured.push_back(outer);
    return placeholder;
}

NodeId BlockScope::capture(NodeId node, BlockScope& home) {
    if (this == &home || !parent) return node;
    return placeholder_for(parent->capture(node, home));
}

Argument BlockScope::import(const Argument& argument, BlockScope& home) {
    if (this == &home) return argument;
    if (const NodeId node = argument.node(); node != no_node) return NodeReference{capture(node, home)};
    if (const auto* list = argument.as<ArgumentList>()) {
        ArgumentList copy = *list;
        for (Argument& item : copy.items) item = import(item, home);
        return copy;
    }
    if (const auto* dict = argument.as<ArgumentDict>()) {
        ArgumentDict copy = *dict;
        for (auto& [key, item] : copy.items) item = import(item, home);
        return copy;
    }
    return argument;
}

void BlockScope::arrange_captures(const std::vector<NodeId>& outer) {
    NodeId body = graph.first();
    for (const NodeId each : outer) (void)placeholder_for(each);
    while (body != no_node && graph.node(body).opcode == Opcode::placeholder) body = graph.next(body);
    for (const NodeId each : outer) graph.move_before(captures.at(each), body);
    captured = outer;
}

void add_missing(std::vector<NodeId>& nodes, const std::vector<NodeId>& more) {
    for (const NodeId node : more)
        if (std::ranges::find(nodes, node) == nodes.end()) nodes.push_back(node);
}

std::string base_name(std::string_view name) {
    std::string result;
    for (const char c : name.substr(0, name.find('.')))
        result += std::isalnum(static_cast<unsigned char>(c)) || c == '_' ? c : '_';
    if (result.empty() || std::isdigit(static_cast<unsigned char>(result.front()))) return {};
    return result;
}

} // namespace inspector::torchscript
