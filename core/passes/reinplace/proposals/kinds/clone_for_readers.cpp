// Later readers read a copy that is taken before the write: cheap where they read a small view.
#include <algorithm>

#include "core/passes/reinplace/proposals/copies.h"
#include "core/passes/reinplace/proposals/kinds.h"
#include "core/passes/reinplace/proposals/movable.h"
#include "core/passes/reinplace/proposals/reads_alike.h"

namespace inspector {
namespace {

struct CopiedValue {
    NodeId value = no_node;
    Copy copy;
    std::vector<NodeId> readers;
};

Node with_input(Node node, NodeId from, NodeId to) {
    for (Argument& argument : node.args) argument = with_reference(argument, from, to);
    for (auto& [name, argument] : node.kwargs) argument = with_reference(argument, from, to);
    return node;
}

bool can_read_a_copy(const RefusedNode& refused, const CopiedValue& copied, NodeId reader) {
    const Node& node = refused.graph().node(reader);
    const Operator* op = refused.op(reader);
    if (node.opcode != Opcode::call_function || !op || op->is_mutable) return false;
    if (refused.is_written_between(refused.node, reader, refused.facts().storages(copied.value))) return false;
    return reads_alike(refused, reader, with_input(node, copied.value, the_copy), copied.value, copied.copy.layout);
}

} // namespace

std::vector<Change> clone_for_readers(const RefusedNode& refused) {
    std::vector<CopiedValue> copied;
    std::vector<NodeId> values;
    for (const auto& [reader, value] : refused.later_uses()) {
        if (value == refused.node) continue;
        auto known = std::ranges::find(copied, value, &CopiedValue::value);
        CopiedValue fresh{value, {}, {}};
        if (known == copied.end()) {
            auto copy = clone_of(refused, value);
            if (!copy || !movable_before(refused, {value})) continue;
            fresh.copy = std::move(*copy);
        }
        CopiedValue& entry = known == copied.end() ? fresh : *known;
        if (!can_read_a_copy(refused, entry, reader)) continue;
        entry.readers.push_back(reader);
        if (known == copied.end()) {
            values.push_back(value);
            copied.push_back(std::move(fresh));
        }
    }
    const auto moved = movable_before(refused, values);
    if (copied.empty() || !moved) return {};

    SentenceWriter words(refused.graph());
    std::vector<NodeId> nodes{refused.node};
    words << "clone ";
    for (std::size_t i = 0; i < values.size(); ++i)
        words << (i == 0 ? "" : i + 1 == values.size() ? " and " : ", ") << values[i];
    words << " before " << refused.node << " (only ";
    std::vector<NodeId> readers;
    for (const CopiedValue& entry : copied)
        for (const NodeId reader : entry.readers)
            if (std::ranges::find(readers, reader) == readers.end()) readers.push_back(reader);
    for (std::size_t i = 0; i < readers.size(); ++i)
        words << (i == 0 ? "" : i + 1 == readers.size() ? " and " : ", ") << readers[i];
    words << (readers.size() == 1 ? " reads" : " read") << (values.size() == 1 ? " the copy)" : " the copies)");
    nodes.insert(nodes.end(), values.begin(), values.end());
    nodes.insert(nodes.end(), readers.begin(), readers.end());
    return {{ChangeKind::clone_for_readers, std::move(nodes), words.take(),
             [copied, moved = *moved, place = refused.node](ChangedProgram& changed) {
                 Graph& graph = changed.program.graph;
                 for (const NodeId node : moved) graph.move_before(node, place);
                 for (const CopiedValue& entry : copied) {
                     const NodeId copy = insert_copy(graph, entry.copy, entry.value, place);
                     for (const NodeId reader : entry.readers) graph.replace_input(reader, entry.value, copy);
                 }
             }}};
}

} // namespace inspector
