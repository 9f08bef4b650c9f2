#include "core/passes/reinplace/inductor/write.h"

#include <algorithm>

#include "core/passes/auto_functionalized/decompose.h"
#include "core/passes/reinplace/rewrite.h"

namespace inspector {
namespace {

using Time = AliasSets::Time;

void replace_users(PassState& state, NodeId old, NodeId by, Time now) {
    for (const NodeId user : state.graph.users(old)) state.graph.replace_input(user, old, by);
    state.note_replacement(old, by, now);
}

/// The copy_ that would bring back what lies in the input already.
void drop_copy_back(PassState& state, NodeId operand, NodeId writer, Time now) {
    NodeId copy = state.inductor->copy_back(operand, writer);
    if (copy == no_node) copy = state.inductor->copy_back_through_views(operand, writer);
    if (copy == no_node || state.is_doomed(copy)) return;
    replace_users(state, copy, state.graph.node(copy).args[0].node(), now);
    state.doom(copy);
}

void drop_copies_back(PassState& state, const Candidate& candidate, NodeId writer) {
    for (const OperandDecision& operand : candidate.writer->operands) {
        if (!operand.in_place) continue;
        for (const NodeId value : operand.values) drop_copy_back(state, value, writer, candidate.now);
    }
}

const Operator* inplace_operator(const Target& target) {
    return OperatorTable::instance().find(inplace_name(target.short_name));
}

void call_inplace_form(PassState& state, const Candidate& candidate, Decision& decision) {
    const Operator& op = *inplace_operator(candidate.target);
    state.graph.set_target(candidate.node, full_target(op));
    decision.new_target = op.short_target();
    drop_copies_back(state, candidate, candidate.node);
}

/// In-place foreach operators return nothing: what was an item of the result is the item that was written.
void hand_over_items(PassState& state, const Candidate& candidate) {
    const auto* list = state.graph.node(candidate.node).args[0].as<ArgumentList>();
    if (!list) return;
    const std::vector<Argument> items = list->items;
    for (const NodeId user : state.graph.users(candidate.node)) {
        const auto& args = state.graph.node(user).args;
        const auto* index = args.size() == 2 ? args[1].as<std::int64_t>() : nullptr;
        if (!state.target(user).is_getitem || !index || *index < 0 || static_cast<std::size_t>(*index) >= items.size())
            continue;
        replace_users(state, user, items[static_cast<std::size_t>(*index)].node(), candidate.now);
        state.doom(user);
    }
}

/// view(view(%base, …), …), and copy_ into it. Scatters between that are used elsewhere are views of the base from now
/// on.
void copy_into_views(PassState& state, const Candidate& candidate) {
    const InductorGraph::ScatterGroup& group = *state.inductor->group_of(candidate.node);
    const NodeId base = state.graph.node(group.result()).args[0].node();
    const Argument source = state.graph.node(group.first()).args[1];
    const auto view_through = [&](NodeId scatter, NodeId on) {
        const Node node = state.graph.node(scatter);
        const Operator& view = *state.target(scatter).inverse_view;
        std::vector<Argument> args{NodeReference{on}};
        args.insert(args.end(), node.args.begin() + 2, node.args.end());
        return insert_call(state, candidate.node, view, std::move(args), node.kwargs,
                           meta_of_view(state, node, view, on));
    };
    NodeId written = base;
    for (auto member = group.members.rbegin(); member != group.members.rend(); ++member)
        written = view_through(*member, written);
    const Operator& copy = *OperatorTable::instance().find("aten.copy_.default");
    insert_call(state, candidate.node, copy, {NodeReference{written}, source}, {}, state.graph.node(written).meta);

    // From here on the base is what the result was.
    drop_copies_back(state, candidate, group.result());
    replace_users(state, group.result(), base, candidate.now);
    const auto other_users = [&](std::size_t i) {
        std::vector<NodeId> users = state.graph.users(group.members[i]);
        std::erase(users, group.members[i + 1]);
        return users;
    };
    std::size_t innermost_used = group.members.size() - 1;
    for (std::size_t i = innermost_used; i-- > 0;)
        if (!other_users(i).empty()) innermost_used = i;
    NodeId whole = base;
    for (std::size_t i = group.members.size() - 1; i-- > innermost_used;) {
        whole = view_through(group.members[i + 1], whole);
        for (const NodeId user : other_users(i)) state.graph.replace_input(user, group.members[i], whole);
        state.note_replacement(group.members[i], whole, candidate.now);
    }
    for (const NodeId member : group.members) state.doom(member);
}

LayoutOfValue layouts_of(const PassState& state) {
    return
        [&state](NodeId value) { return index_of(value) < state.facts.size() ? state.facts.tensor(value) : nullptr; };
}

std::vector<bool> written_in_place(const Writer& writer) {
    std::vector<bool> in_place;
    for (const OperandDecision& operand : writer.operands) in_place.push_back(operand.in_place || writer.writes_only);
    return in_place;
}

void call_custom_operator(PassState& state, const Candidate& candidate, Decision& decision) {
    drop_copies_back(state, candidate, candidate.node);
    const auto call = read_custom_call(state.graph, candidate.node);
    const auto done = decompose_custom_call(state.graph, candidate.node, *call, written_in_place(*candidate.writer),
                                            layouts_of(state));
    for (const auto& [old, by] : done->replacements) state.note_replacement(old, by, candidate.now);
    for (const NodeId superfluous : done->superfluous) state.doom(superfluous);
    decision.new_target = call->target.substr(std::string_view("torch.ops.").size());
}

void clone_less(PassState& state, const Candidate& candidate, Decision& decision) {
    drop_copies_back(state, candidate, candidate.node);
    Node node = state.graph.node(candidate.node);
    ArgumentList cloned;
    for (const OperandDecision& operand : candidate.writer->operands) {
        if (!operand.in_place) {
            cloned.items.emplace_back(operand.name);
            continue;
        }
        for (const NodeId user : state.graph.users(candidate.node)) {
            const auto& args = state.graph.node(user).args;
            const auto* name = args.size() == 2 ? args[1].as<std::string>() : nullptr;
            if (!state.target(user).is_getitem || !name || *name != operand.name) continue;
            replace_users(state, user, operand.values.front(), candidate.now);
            state.doom(user);
        }
    }
    for (auto& [name, argument] : node.kwargs)
        if (name == "tensors_to_clone") argument = cloned;
    state.graph.set_arguments(candidate.node, node.args, node.kwargs);
    decision.new_target = candidate.target.short_name;
}

} // namespace

bool can_write_as_inductor(const PassState& state, const Candidate& candidate) {
    if (!candidate.writer) return false;
    switch (candidate.writer->kind) {
    case Writer::Kind::scatter:
    case Writer::Kind::triton_kernel: return true;
    case Writer::Kind::custom_call: {
        const auto call = read_custom_call(state.graph, candidate.node);
        return call && call->written.size() == candidate.writer->operands.size() &&
               is_decomposable(state.graph, candidate.node, *call);
    }
    case Writer::Kind::index_put:
    case Writer::Kind::collective:
    case Writer::Kind::foreach_list: return inplace_operator(candidate.target) != nullptr;
    }
    return false;
}

void write_as_inductor(PassState& state, const Candidate& candidate, Decision& decision) {
    decision.verdict = Verdict::reinplaced;
    switch (candidate.writer->kind) {
    case Writer::Kind::scatter:
        copy_into_views(state, candidate);
        decision.verdict = Verdict::scatter_to_copy;
        decision.new_target = "aten.copy_.default";
        break;
    case Writer::Kind::custom_call: call_custom_operator(state, candidate, decision); break;
    case Writer::Kind::triton_kernel: clone_less(state, candidate, decision); break;
    case Writer::Kind::foreach_list: hand_over_items(state, candidate); [[fallthrough]];
    case Writer::Kind::index_put:
    case Writer::Kind::collective: call_inplace_form(state, candidate, decision); break;
    }
}

} // namespace inspector
