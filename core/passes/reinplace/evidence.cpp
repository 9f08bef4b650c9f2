#include "core/passes/reinplace/evidence.h"

#include <algorithm>

namespace inspector {
namespace {

class Witnesses {
public:
    explicit Witnesses(const PassState& state) : state_(state) {}
    void add(WitnessRole role, NodeId node) {
        if (node != no_node) list.push_back({role, node, state_.time(node)});
    }
    std::vector<Witness> list;

private:
    const PassState& state_;
};

NodeId first_input_on(const PassState& state, StorageId storage) {
    const auto inputs = state.original.placeholders();
    const auto found = std::ranges::find_if(inputs, [&](NodeId input) {
        return std::ranges::find(state.facts.storages(input), storage) != state.facts.storages(input).end();
    });
    return found != inputs.end() ? *found : no_node;
}

void add_later_uses(const PassState& state, const Moment& moment, Witnesses& witnesses) {
    const auto uses = state.sets.later_uses(moment.set, moment.time);
    for (auto use = uses.begin(); use != uses.end();) {
        const NodeId user = use->user;
        const auto next = std::find_if(use, uses.end(), [&](const auto& other) { return other.user != user; });
        const bool is_scatter = state.target(user).inverse_view != nullptr;
        const NodeId match = is_scatter ? state.matched_view(user, moment.set, moment.time) : no_node;
        const bool is_direct = std::any_of(use, next, [&](const auto& one) { return one.through == moment.self; });
        witnesses.add(match != no_node ? WitnessRole::scatter : WitnessRole::later_use, user);
        witnesses.add(WitnessRole::matched_alias, match);
        if (match == no_node && !is_direct)
            for (; use != next; ++use) witnesses.add(WitnessRole::through_view, use->through);
        use = next;
    }
}

} // namespace

std::vector<Witness> evidence(const PassState& state, const Moment& moment, CheckId check) {
    Witnesses witnesses(state);
    switch (check) {
    case CheckId::metadata:
        witnesses.add(WitnessRole::self, moment.self);
        witnesses.add(WitnessRole::result, moment.node);
        break;
    case CheckId::input_alias:
        witnesses.add(WitnessRole::self, moment.self);
        if (moment.self != no_node)
            witnesses.add(WitnessRole::input, first_input_on(state, state.storage(moment.self)));
        if (moment.self != no_node && state.places)
            if (const auto overwrite = state.places->next_overwrite(state.storage(moment.self), moment.time))
                witnesses.add(WitnessRole::copy_back, overwrite->by);
        break;
    case CheckId::later_use: add_later_uses(state, moment, witnesses); break;
    case CheckId::scatter:
        if (!state.target(moment.node).inverse_view) break;
        witnesses.add(WitnessRole::scatter_base, moment.self);
        if (const auto& args = state.original.node(moment.node).args; args.size() > 1)
            witnesses.add(WitnessRole::operand, args[1].node());
        break;
    case CheckId::argument_alias:
    case CheckId::no_inplace_variant:
    case CheckId::output_alias:
    case CheckId::redundant_write:
    case CheckId::written_twice:
    case CheckId::fusion:
    case CheckId::result_layout:
    case CheckId::inplace_variant: witnesses.add(WitnessRole::self, moment.self); break;
    case CheckId::not_a_candidate:
    case CheckId::not_an_operator:
    case CheckId::no_arguments:
    case CheckId::first_argument_not_tensor: break;
    }
    return witnesses.list;
}

} // namespace inspector
