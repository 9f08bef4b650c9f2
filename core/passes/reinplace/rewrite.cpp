#include "core/passes/reinplace/rewrite.h"

#include <algorithm>
#include <cctype>
#include <span>

#include "core/passes/reinplace/symbolic_view.h"

namespace inspector {
namespace {

/// The name FX gives a node that calls `op`: "select_int", "copy__default".
std::string candidate_name(const Operator& op) {
    std::string name = op.name.substr(op.name.find("::") + 2) + "_" + (op.overload.empty() ? "default" : op.overload);
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return name;
}

/// Later users of `old` use `by`; gives these users.
std::vector<NodeId> replace_later(PassState& state, NodeId old, NodeId by, AliasSets::Time now) {
    std::vector<NodeId> users = state.sets.redirect(old, by, now);
    for (const NodeId user : users) state.graph.replace_input(user, old, by);
    state.note_replacement(old, by, now);
    return users;
}

} // namespace

ValueMeta meta_of_view(const PassState& state, const Node& scatter, const Operator& view, NodeId on) {
    const TensorLayout* base = index_of(on) < state.facts.size() ? state.facts.tensor(on) : nullptr;
    // Numbers that stand for symbols are no metadata of the graph.
    if (state.facts.is_symbolic()) {
        const auto* symbolic = std::get_if<TensorMeta>(&state.graph.node(on).meta);
        auto meta = symbolic ? symbolic_view_meta(state.original, scatter, view, on, *symbolic) : std::nullopt;
        return meta ? ValueMeta(std::move(*meta)) : UnknownMeta{};
    }
    if (!base) return UnknownMeta{};
    const auto shape = view_shape(view, shape_of(*base), std::span(scatter.args).subspan(2), scatter.kwargs);
    if (!shape) return UnknownMeta{};
    TensorMeta meta;
    meta.dtype = base->dtype;
    meta.sizes.assign(shape->sizes.begin(), shape->sizes.end());
    meta.strides.emplace(shape->strides.begin(), shape->strides.end());
    meta.storage_offset = shape->offset;
    meta.device = base->device;
    return meta;
}

NodeId insert_call(PassState& state, NodeId before, const Operator& op, std::vector<Argument> args,
                   std::vector<NamedArgument> kwargs, ValueMeta meta) {
    Node node;
    node.opcode = Opcode::call_function;
    node.name = state.graph.fresh_name(candidate_name(op));
    node.target = full_target(op);
    node.args = std::move(args);
    node.kwargs = std::move(kwargs);
    node.meta = std::move(meta);
    node.origin.created_by_pass = true;
    return state.graph.insert_before(before, std::move(node));
}

bool has_inplace_form(const PassState& state, const Candidate& candidate) {
    if (candidate.self == no_node || state.storage(candidate.self) == 0 || state.storage(candidate.node) == 0)
        return false;
    return candidate.target.inplace ||
           (candidate.target.inverse_view && state.graph.node(candidate.node).args.size() >= 2);
}

void take_inplace_form(PassState& state, const Candidate& candidate, Decision& decision) {
    if (candidate.target.inplace) {
        write_in_place(state, candidate);
        decision.verdict = Verdict::reinplaced;
        decision.new_target = candidate.target.inplace_name;
    } else {
        copy_into_view(state, candidate);
        decision.verdict = Verdict::scatter_to_copy;
        decision.new_target = "aten.copy_.default";
    }
    hand_over(state, candidate);
}

void write_in_place(PassState& state, const Candidate& candidate) {
    state.graph.set_target(candidate.node, candidate.target.inplace_target);
}

void copy_into_view(PassState& state, const Candidate& candidate) {
    const Node scatter = state.graph.node(candidate.node);
    const Operator& view = *candidate.target.inverse_view;
    const Operator* copy = OperatorTable::instance().find("aten.copy_.default");
    const ValueMeta meta = meta_of_view(state, scatter, view, candidate.self);
    std::vector<Argument> view_args{scatter.args[0]};
    view_args.insert(view_args.end(), scatter.args.begin() + 2, scatter.args.end());
    const NodeId written = insert_call(state, candidate.node, view, std::move(view_args), scatter.kwargs, meta);
    insert_call(state, candidate.node, *copy, {NodeReference{written}, scatter.args[1]}, {}, meta);
    state.doom(candidate.node);
}

void leave_out(PassState& state, const Candidate& candidate) { state.doom(candidate.node); }

void hand_over(PassState& state, const Candidate& candidate) {
    replace_later(state, candidate.node, candidate.self, candidate.now);
    state.sets.merge(state.storage(candidate.self), state.storage(candidate.node), candidate.now);
    if (state.places && state.storage(candidate.self) != state.storage(candidate.node))
        state.places->join(state.storage(candidate.node), state.storage(candidate.self), candidate.moved);
    for (const NodeId scatter : candidate.superfluous) {
        state.doom(scatter);
        const NodeId base = state.graph.node(scatter).args[0].node();
        if (base == no_node) continue;
        const StorageId own = state.storage(scatter);
        for (const NodeId user : replace_later(state, scatter, base, candidate.now)) {
            // A view of the scatter's result is a view of its base from now on.
            const bool is_view = own != 0 && state.storage(user) == own;
            if (is_view && state.storage(base) != 0) state.sets.merge(own, state.storage(base), candidate.now);
        }
    }
}

void erase_doomed(PassState& state) {
    for (auto scatter = state.doomed().rbegin(); scatter != state.doomed().rend(); ++scatter)
        state.graph.erase(*scatter);
}

} // namespace inspector
