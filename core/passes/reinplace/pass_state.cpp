#include "core/passes/reinplace/pass_state.h"

#include <algorithm>

#include "core/passes/reinplace/inductor/preparation.h"
#include "core/passes/reinplace/policy.h"

namespace inspector {
namespace {

std::vector<NodeId> call_functions(const Graph& graph) {
    std::vector<NodeId> calls;
    for (const NodeId id : graph)
        if (graph.node(id).opcode == Opcode::call_function) calls.push_back(id);
    return calls;
}

std::vector<AliasSets::Time> program_order(const Graph& graph) {
    std::vector<AliasSets::Time> times(graph.id_limit(), 0);
    AliasSets::Time next = 1;
    for (const NodeId id : graph) times[index_of(id)] = next++;
    return times;
}

std::vector<const Target*> look_up(const Graph& graph, Targets& targets) {
    std::vector<const Target*> found(graph.id_limit(), nullptr);
    for (const NodeId id : graph) found[index_of(id)] = &targets.of(graph.node(id));
    return found;
}

std::vector<bool> input_storages(const Graph& graph, const GraphFacts& facts) {
    std::vector<bool> is_input(facts.storage_limit(), false);
    for (const NodeId id : graph.placeholders())
        for (const StorageId storage : facts.storages(id)) is_input[storage] = true;
    return is_input;
}

std::vector<bool> readers_of_constants(const Graph& graph, const GraphFacts& facts) {
    std::vector<bool> reads(graph.id_limit(), false);
    for (const NodeId id : graph) {
        if (graph.node(id).opcode != Opcode::get_attr || facts.storages(id).empty()) continue;
        for (const NodeId user : graph.users(id)) reads[index_of(user)] = true;
    }
    return reads;
}

std::vector<AliasSets::Role> roles(const Graph& graph, const std::vector<const Target*>& targets,
                                   const Policy& policy) {
    std::vector<AliasSets::Role> roles(graph.id_limit());
    for (const NodeId id : graph) {
        const Target& target = *targets[index_of(id)];
        roles[index_of(id)] = {.is_member = policy.is_member(graph.node(id)),
                               .counts = policy.counts_as_use(target),
                               .is_transparent = target.is_overload || target.is_getitem,
                               .is_scatter = target.inverse_view != nullptr};
    }
    return roles;
}

} // namespace

PassState::PassState(const ProgramGraph& source, const Policy& policy, const std::vector<std::string>& donated)
    : original(source.graph), facts(GraphFacts::run(source, policy.aliasing)), storages(Storages::run(original, facts)), graph(original),
      calls(call_functions(original)), targets_by_node_(look_up(original, targets_)),
      is_input_(input_storages(original, facts)), reads_constant_(readers_of_constants(original, facts)),
      sets(original, facts, program_order(original), roles(original, targets_by_node_, policy)),
      is_doomed_(original.id_limit(), false), replacement_of_(original.id_limit()) {
    if (std::ranges::any_of(calls, [&](NodeId id) { return target(id).inverse_view != nullptr; }))
        scatter_match_.emplace(original, facts);
    if (policy.follows_placements)
        places.emplace(source, original, facts, targets_by_node_, program_order(original), donated);
    if (policy.prepares_like_inductor) {
        std::vector<bool> is_dead = dead_nodes(graph, targets_by_node_);
        if (is_for_inference(graph)) reorder_for_locality(graph, targets_by_node_, is_dead);
        graph.forget_history();
        calls = call_functions(graph);
        inductor.emplace(original, std::vector<NodeId>(graph.begin(), graph.end()), facts, targets_by_node_,
                         std::move(is_dead));
    }
}

NodeId PassState::matched_view(NodeId scatter, AliasSets::State state, AliasSets::Time then) const {
    const Operator* view = target(scatter).inverse_view;
    if (!scatter_match_ || !view) return no_node;
    return scatter_match_->find(original.node(scatter), *view, first_argument_at(scatter, then),
                                [&](NodeId node) { return sets.contains(state, node); });
}

void PassState::note_replacement(NodeId old, NodeId by, AliasSets::Time now) {
    // A node has no users left once it was replaced; replacing it again changes nothing.
    Replacement& replacement = replacement_of_[index_of(old)];
    if (replacement.by != no_node) return;
    replacement = {by, now};
    replaced_.push_back(old);
}

NodeId PassState::first_argument_at(NodeId node, AliasSets::Time then) const {
    const auto& args = original.node(node).args;
    NodeId argument = args.empty() ? no_node : args[0].node();
    while (argument != no_node && index_of(argument) < replacement_of_.size()) {
        const Replacement& replacement = replacement_of_[index_of(argument)];
        if (replacement.by == no_node || replacement.at >= then || replacement.at >= time(node)) break;
        argument = replacement.by;
    }
    return argument;
}

void PassState::doom(NodeId scatter) {
    if (is_doomed_[index_of(scatter)]) return;
    is_doomed_[index_of(scatter)] = true;
    doomed_.push_back(scatter);
}

PassState::Mark PassState::mark() const { return {graph.mark(), sets.mark(), doomed_.size(), replaced_.size(),
            places ? places->mark() : Placements::Mark{}}; }

void PassState::undo_to(const Mark& mark) {
    graph.undo_to(mark.graph);
    sets.undo_to(mark.sets);
    if (places) places->undo_to(mark.places);
    for (; doomed_.size() > mark.doomed; doomed_.pop_back()) is_doomed_[index_of(doomed_.back())] = false;
    for (; replaced_.size() > mark.replaced; replaced_.pop_back()) replacement_of_[index_of(replaced_.back())] = {};
}

} // namespace inspector
