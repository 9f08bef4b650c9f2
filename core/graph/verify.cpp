#include "core/graph/verify.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace inspector {
namespace {

std::string place_of(const Graph& graph, NodeId id) { return "%" + graph.node(id).name; }

/// Every node an argument refers to, each once, by id.
std::vector<NodeId> distinct_references(const Node& node) {
    std::vector<NodeId> references;
    const auto add = [&](NodeId id) { references.push_back(id); };
    for (const Argument& argument : node.args) for_each_reference(argument, add);
    for (const auto& [name, argument] : node.kwargs) for_each_reference(argument, add);
    std::ranges::sort(references);
    const auto repeated = std::ranges::unique(references);
    references.erase(repeated.begin(), repeated.end());
    return references;
}

} // namespace

std::vector<Error> verify(const Graph& graph) {
    std::vector<Error> errors;
    const auto report = [&](NodeId id, std::string reason) {
        errors.push_back({{}, place_of(graph, id), std::move(reason)});
    };
    std::vector<std::vector<NodeId>> users(graph.id_limit()); // as the arguments say
    std::unordered_set<std::string_view> names;
    bool after_placeholders = false;
    NodeId output = no_node;
    for (const NodeId id : graph) {
        const Node& node = graph.node(id);
        if (node.name.empty()) report(id, "has no name");
        if (!names.insert(node.name).second) report(id, "has the name of an earlier node");
        if (output != no_node) report(id, "comes after the output");
        if (node.opcode == Opcode::output) output = output == no_node ? id : output;
        // An unlifted module (ExportedProgram.module()) reads its attributes before its placeholders.
        if (node.opcode == Opcode::placeholder && after_placeholders) report(id, "is a placeholder after other nodes");
        if (node.opcode != Opcode::placeholder && node.opcode != Opcode::get_attr) after_placeholders = true;
        for (const NodeId reference : distinct_references(node)) {
            if (!graph.contains(reference)) {
                report(id, "refers to a node that is not in the graph");
                continue;
            }
            if (!graph.is_before(reference, id))
                report(id, "uses " + place_of(graph, reference) + " before its definition");
            users[index_of(reference)].push_back(id);
        }
    }
    for (const NodeId id : graph)
        if (users[index_of(id)] != graph.users(id))
            report(id, "has a list of users that its users' arguments do not confirm");
    return errors;
}

} // namespace inspector
