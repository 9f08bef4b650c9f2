#include "core/passes/reinplace/checks/sound/operand_overlap_check.h"

#include <algorithm>

#include "core/passes/reinplace/condition_collector.h"
#include "core/passes/reinplace/unit_stride_rules.h"
#include "core/passes/reinplace/written_region.h"

namespace inspector {
namespace {

/// Strides of dimensions of size 1 too: torch compares them when it asks whether operands overlap.
bool is_same_view(const PassState& state, NodeId a, NodeId b) {
    if (a == b) return true;
    const Placements& places = *state.places;
    const TensorLayout *x = places.layout(a), *y = places.layout(b);
    if (!x || !y || !(*x == *y)) return false;
    if (places.is_fixed(a) && places.is_fixed(b)) return true;
    const SymbolicLayout *left = places.symbolic_layout(a), *right = places.symbolic_layout(b);
    return left && right && places.surely_same_place(a, b) &&
           have_same_sizes(left->strides, right->strides, places.order()).truth == Truth::always;
}

/// Each was made by a view that never returns what it was given.
bool are_two_tensors(const PassState& state, NodeId a, NodeId b) {
    const auto is_new = [&](NodeId value) {
        const Target& target = state.target(value);
        return target.is_getitem || (target.op && keeps_strides_of_base(*target.op));
    };
    return a != b && is_new(a) && is_new(b);
}

} // namespace

Finding OperandOverlapCheck::ask(PassState& state, Candidate& candidate) const {
    const Placements& places = *state.places;
    const auto written = written_region(state, candidate);
    const StorageId home = places.home(state.storage(candidate.self));
    // copy has no such tag, but moves element by element too. A custom operator's tag is a claim nobody has tried.
    const Operator& op = *candidate.target.op;
    const bool is_pointwise =
        candidate.target.inplace && !op.registered_here && (op.has_tag("pointwise") || op.name == "aten::copy");
    NodeId conflict = no_node;
    ConditionCollector condition(places.order(), "the operand and what is written share memory");
    const Node& node = state.graph.node(candidate.node);
    const auto look_at = [&](const Argument& argument) {
        for_each_reference(argument, [&](NodeId operand) {
            if (conflict != no_node) return;
            const auto& storages = state.facts.storages(operand);
            if (std::ranges::none_of(storages, [&](StorageId storage) { return places.home(storage) == home; })) return;
            const bool is_same = is_same_view(state, operand, candidate.self);
            if (is_pointwise && is_same) return;
            // Kernels refuse one tensor for two operands even if it has no elements.
            const bool is_one = is_same && candidate.target.inplace && !are_two_tensors(state, operand, candidate.self);
            const SizeAnswer apart = written && !is_one ? places.apart(operand, *written) : SizeAnswer{};
            if (apart.truth == Truth::always) return;
            conflict = operand;
            condition.need(apart);
        });
    };
    for (std::size_t i = 1; i < node.args.size(); ++i) look_at(node.args[i]);
    for (const NamedArgument& named : node.kwargs) look_at(named.second);
    if (conflict == no_node) return {.check = CheckId::argument_alias};
    return {.answer = Finding::Answer::keeps,
            .check = CheckId::argument_alias,
            .reason = conflict == candidate.self ? Reason::self_repeated : Reason::operand_overlaps,
            .condition = condition.take(),
            .witnesses = {{WitnessRole::self, candidate.self, state.time(candidate.self)},
                          {WitnessRole::operand, conflict, state.time(conflict)}}};
}

} // namespace inspector
