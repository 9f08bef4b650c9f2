// The caller gets a copy, so that the memory itself may be written.
#include <algorithm>

#include "core/passes/reinplace/layout_sensitivity.h"
#include "core/passes/reinplace/proposals/copies.h"
#include "core/passes/reinplace/proposals/kinds.h"
#include "core/passes/reinplace/proposals/movable.h"

namespace inspector {
namespace {

/// Each value the output refers to, once.
std::vector<NodeId> returned_values(const RefusedNode& refused) {
    const NodeId output = refused.graph().output();
    return output == no_node ? std::vector<NodeId>{} : refused.graph().inputs(output);
}

bool share(const RefusedNode& refused, NodeId a, NodeId b) {
    const auto &x = refused.facts().storages(a), &y = refused.facts().storages(b);
    return std::ranges::any_of(x, [&](StorageId storage) { return std::ranges::find(y, storage) != y.end(); });
}

/// A caller that shares this value with an input, or with another returned value, would notice that it is a copy.
bool shares_with_caller(const RefusedNode& refused, NodeId value) {
    const auto shares = [&](NodeId other) { return other != value && share(refused, value, other); };
    return std::ranges::any_of(returned_values(refused), shares) ||
           std::ranges::any_of(refused.graph().placeholders(),
                               [&](NodeId input) { return input == value || share(refused, value, input); });
}

void rename_in_signature(ProgramGraph& program, const std::string& from, const std::string& to) {
    if (!program.signature) return;
    for (OutputSpec& output : program.signature->outputs)
        if (output.value == from) output.value = to;
}

/// Copies `value` before `place` (no_node: where the graph ends), for the output alone.
std::optional<Change> returned_copy(const RefusedNode& refused, NodeId value, NodeId place) {
    const Graph& graph = refused.graph();
    const TensorLayout* layout = refused.layout(value);
    const auto copy = clone_of(refused, value, layout);
    if (!copy || shares_with_caller(refused, value)) return std::nullopt;
    std::vector<NodeId> moved;
    if (place != no_node) {
        const auto movable = movable_before(refused, {value});
        if (!movable || refused.is_written_between(place, graph.output(), refused.facts().storages(value)))
            return std::nullopt;
        moved = *movable;
    }
    SentenceWriter words(graph);
    words << "return a clone of " << value;
    if (place != no_node) words << ", taken before " << place;
    std::vector<NodeId> nodes{value};
    if (place != no_node) nodes.push_back(place);
    return Change{ChangeKind::return_clone, std::move(nodes), words.take(),
                  [copy = *copy, value, place, moved](ChangedProgram& changed) {
                      Graph& edited = changed.program.graph;
                      const NodeId output = edited.output();
                      for (const NodeId node : moved) edited.move_before(node, place);
                      const NodeId clone = insert_copy(edited, copy, value, place == no_node ? output : place);
                      edited.replace_input(output, value, clone);
                      rename_in_signature(changed.program, edited.node(value).name, edited.node(clone).name);
                  }};
}

} // namespace

std::vector<Change> return_clone(const RefusedNode& refused) {
    std::vector<Change> changes;
    const auto offer = [&](std::optional<Change> change) {
        if (change) changes.push_back(std::move(*change));
    };
    if (refused.decision.reason == Reason::returned_alias) {
        for (const WitnessRole role : {WitnessRole::matched_alias, WitnessRole::through_view})
            if (const NodeId value = refused.witness(role); value != no_node) offer(returned_copy(refused, value, no_node));
        return changes;
    }
    for (const auto& [reader, value] : refused.later_uses()) {
        if (reader != refused.graph().output() || value == refused.node) continue;
        offer(returned_copy(refused, value, refused.node));
        break; // the next, if there is one, blocks the changed program
    }
    return changes;
}

} // namespace inspector
