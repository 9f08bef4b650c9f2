#include "core/passes/reinplace/inductor/inductor_graph.h"

#include <algorithm>
#include <array>
#include <span>

#include "core/analysis/tensor_extent.h"
#include "core/passes/reinplace/inductor/buffers.h"
#include "core/passes/reinplace/inductor/operands.h"
#include "core/passes/reinplace/inductor/possible_overlap.h"
#include "core/passes/reinplace/view_shape.h"

namespace inspector {
namespace {

/// A view operator with all but the tensor it views.
struct ViewStep {
    const Operator* view = nullptr;
    std::vector<Argument> args;
    std::vector<NamedArgument> kwargs;
    friend bool operator==(const ViewStep&, const ViewStep&) = default;
};

struct ViewPath {
    NodeId base = no_node;
    std::vector<ViewStep> steps;
};

ViewStep step_of_scatter(const Node& scatter, const Target& target) {
    return {target.inverse_view, {scatter.args.begin() + 2, scatter.args.end()}, scatter.kwargs};
}

/// torch.clone gives the very same layout: it keeps strides that leave no gaps and name no element twice.
bool is_kept_by_clone(const TensorLayout& layout) {
    return layout.storage_offset == 0 && (is_dense(layout) || has_contiguous_strides(layout));
}

bool is_getitem_of(const Graph& graph, NodeId node, const Target& target) {
    return target.is_getitem && graph.node(node).args.size() == 2 && graph.node(node).args[0].node() != no_node;
}

} // namespace

InductorGraph::InductorGraph(const Graph& graph, const std::vector<NodeId>& order, const GraphFacts& facts,
                             const std::vector<const Target*>& targets, std::vector<bool> is_dead)
    : graph_(graph), facts_(facts), targets_(targets), is_dead_(std::move(is_dead)), time_(graph.id_limit(), 0),
      group_(graph.id_limit(), 0), view_of_group_(graph.id_limit(), no_node), storage_(graph.id_limit(), 0),
      layouts_(graph.id_limit()), values_on_(facts.storage_limit()), users_(graph.id_limit()),
      metadata_only_(graph.id_limit(), false) {
    for (const NodeId id : order)
        if (!is_dead_[index_of(id)]) order_.push_back(id);
    for (std::size_t i = 0; i < order_.size(); ++i) time_[index_of(order_[i])] = static_cast<Time>(i + 1);
    fuse_scatters();
    place_values();
    note_users();
    note_copies();
}

NodeId InductorGraph::look_up(const std::map<Pair, NodeId>& map, Pair key) {
    const auto found = map.find(key);
    return found != map.end() ? found->second : no_node;
}

bool InductorGraph::is_view(NodeId node) const {
    return view_of_group_[index_of(node)] != no_node || (target(node).op && target(node).op->view != ViewKind::none);
}

NodeId InductorGraph::view_operand(NodeId view) const {
    if (view_of_group_[index_of(view)] != no_node) return view_of_group_[index_of(view)];
    const auto& args = graph_.node(view).args;
    return args.empty() ? no_node : args[0].node();
}

const InductorGraph::ScatterGroup* InductorGraph::group_of(NodeId scatter) const {
    const std::uint32_t place = group_[index_of(scatter)];
    return place != 0 ? &groups_[place - 1] : nullptr;
}

bool InductorGraph::is_input(NodeId node) const {
    const Opcode opcode = graph_.node(node).opcode;
    return opcode == Opcode::placeholder || opcode == Opcode::get_attr;
}

NodeId InductorGraph::view_base(NodeId node) const {
    while (is_view(node)) {
        const NodeId operand = view_operand(node);
        if (operand == no_node) break;
        node = operand;
    }
    return node;
}

const TensorLayout* InductorGraph::layout(NodeId node) const {
    const auto& layout = layouts_[index_of(node)];
    return layout ? &*layout : nullptr;
}

// --- scatters --------------------------------------------------------------------------------------------------------

/// Two scatters are one where the outer one writes back the inner one's result through the very views it was taken by.
void InductorGraph::fuse_scatters() {
    std::vector<std::optional<ViewPath>> paths(graph_.id_limit());
    const auto path_of = [&](NodeId node) {
        return paths[index_of(node)] ? *paths[index_of(node)] : ViewPath{node, {}};
    };
    for (const NodeId id : order_) {
        const Node& node = graph_.node(id);
        if (!target(id).inverse_view) {
            const NodeId viewed = is_view(id) ? view_operand(id) : no_node;
            if (viewed == no_node) continue;
            ViewPath path = path_of(viewed);
            path.steps.push_back({target(id).op, {node.args.begin() + 1, node.args.end()}, node.kwargs});
            paths[index_of(id)] = std::move(path);
            continue;
        }
        if (node.args.size() < 2 || node.args[0].node() == no_node || node.args[1].node() == no_node) continue;
        const NodeId base = node.args[0].node(), source = node.args[1].node();
        ViewPath written = path_of(base);
        written.steps.push_back(step_of_scatter(node, target(id)));
        const std::uint32_t inner = group_[index_of(source)];
        const bool is_result = inner != 0 && groups_[inner - 1].result() == source;
        const ViewPath viewed = is_result ? path_of(groups_[inner - 1].base) : ViewPath{};
        if (!is_result || viewed.base != written.base || viewed.steps != written.steps) {
            groups_.push_back({base, source, {id}});
            group_[index_of(id)] = static_cast<std::uint32_t>(groups_.size());
            continue;
        }
        ScatterGroup& group = groups_[inner - 1];
        view_of_group_[index_of(source)] = id;
        paths[index_of(source)] = ViewPath{id, {step_of_scatter(node, target(id))}};
        group.members.push_back(id);
        group.base = base;
        group_[index_of(id)] = inner;
        time_[index_of(id)] = time_[index_of(group.first())];
    }
}

// --- values ----------------------------------------------------------------------------------------------------------

void InductorGraph::place_values() {
    for (const NodeId id : order_) {
        const auto& storages = facts_.storages(id);
        const bool is_tensor =
            !facts_.of(id).is_list && storages.size() == 1 && graph_.node(id).opcode != Opcode::output;
        if (!is_tensor) continue;
        storage_[index_of(id)] = storages.front();
        if (const TensorLayout* known = facts_.tensor(id)) layouts_[index_of(id)] = *known;
    }
    for (const NodeId id : order_)
        if (const StorageId storage = storage_[index_of(id)]; storage != 0) values_on_[storage].push_back(id);
    for (const ScatterGroup& group : groups_) place_group(group);
}

void InductorGraph::place_group(const ScatterGroup& group) {
    // The result is a clone, which starts at the beginning of its storage; a *_scatter keeps the offset of its base.
    if (const TensorLayout* made = layout(group.result())) shift(storage(group.result()), -made->storage_offset);
    // Inner members are views of it, and take what is viewed of them along.
    for (std::size_t i = group.members.size() - 1; i-- > 0;) {
        const NodeId view = group.members[i], whole = group.members[i + 1];
        const Node& outer = graph_.node(whole);
        const StorageId from = storage_[index_of(view)], into = storage_[index_of(whole)];
        std::int64_t distance = 0;
        if (const TensorLayout* base = layout(whole); base && layout(view)) {
            const auto shape = view_shape(*target(whole).inverse_view, shape_of(*base),
                                          std::span(outer.args).subspan(2), outer.kwargs);
            if (shape) distance = shape->offset - layout(view)->storage_offset;
        }
        if (from == 0 || into == 0 || from == into) continue;
        shift(from, distance);
        for (const NodeId id : values_on_[from]) {
            storage_[index_of(id)] = into;
            values_on_[into].push_back(id);
        }
        values_on_[from].clear();
        std::ranges::sort(values_on_[into], {}, [&](NodeId id) { return std::pair(time(id), index_of(id)); });
    }
}

void InductorGraph::shift(StorageId storage, std::int64_t distance) {
    for (const NodeId id : values_on_[storage])
        if (auto& moved = layouts_[index_of(id)]) moved->storage_offset += distance;
}

std::vector<NodeId> InductorGraph::overlapping_values(NodeId node) const {
    std::vector<NodeId> found;
    const TensorLayout* layout = this->layout(node);
    for (const NodeId value : values_on_[storage(node)]) {
        const TensorLayout* other = this->layout(value);
        if (!layout || !other || possibly_overlap(*layout, *other)) found.push_back(value);
    }
    return found;
}

bool InductorGraph::same_metadata(NodeId a, NodeId b) const {
    const TensorLayout *x = layout(a), *y = layout(b);
    if (!x || !y || x->sizes != y->sizes || x->strides != y->strides || x->storage_offset != y->storage_offset)
        return false;
    if (!facts_.is_symbolic()) return true;
    // Equal for all sizes, not only for the sample's.
    const auto* given_a = std::get_if<TensorMeta>(&graph_.node(a).meta);
    const auto* given_b = std::get_if<TensorMeta>(&graph_.node(b).meta);
    return !given_a || !given_b || given_a->sizes == given_b->sizes;
}

// --- uses ------------------------------------------------------------------------------------------------------------

void InductorGraph::note_users() {
    // A fused scatter reads the base of its outermost member and the source of its innermost.
    for (const NodeId id : order_) {
        const ScatterGroup* group = group_of(id);
        if (!group) {
            for (const NodeId input : graph_.inputs(id)) users_[index_of(input)].push_back(id);
        } else if (id == group->result()) {
            users_[index_of(group->base)].push_back(id);
            if (group->source != group->base) users_[index_of(group->source)].push_back(id);
        }
    }
    // An inner member lives on as a view where somebody else uses it.
    for (const ScatterGroup& group : groups_)
        for (std::size_t i = 0; i + 1 < group.members.size(); ++i)
            if (!users(group.members[i]).empty()) users_[index_of(group.members[i + 1])].push_back(group.members[i]);

    constexpr std::array<std::string_view, 4> names{"aten.sym_size.int", "aten.sym_stride.int",
                                                    "aten.sym_numel.default", "aten.sym_storage_offset.default"};
    const auto decide = [&](NodeId id) {
        const auto& users = users_[index_of(id)];
        metadata_only_[index_of(id)] =
            is_view(id) ? std::ranges::all_of(users, [&](NodeId user) { return metadata_only_[index_of(user)]; })
                        : std::ranges::find(names, target(id).short_name) != names.end();
    };
    for (auto id = order_.rbegin(); id != order_.rend(); ++id) decide(*id);
    // Fused views stand before some nodes that used to stand before them.
    for (const ScatterGroup& group : groups_)
        for (std::size_t i = 0; i + 1 < group.members.size(); ++i) decide(group.members[i]);
}

bool InductorGraph::is_realized(NodeId node) const {
    NodeId maker = node;
    while (is_getitem_of(graph_, maker, target(maker))) maker = graph_.node(maker).args[0].node();
    const Node& made = graph_.node(maker);
    if (made.opcode == Opcode::placeholder || made.opcode == Opcode::output) return true;
    if (!group_of(maker) && result_is_buffer(target(maker).short_name)) return true;
    return std::ranges::any_of(users(node), [&](NodeId user) {
        return graph_.node(user).opcode == Opcode::output ||
               (!group_of(user) && reads_buffers(target(user).short_name));
    });
}

// --- copies ----------------------------------------------------------------------------------------------------------

void InductorGraph::note_copies() {
    // The first copy_ of each kind is the one that counts: it is noted last.
    for (auto id = order_.rbegin(); id != order_.rend(); ++id) {
        const auto& args = graph_.node(*id).args;
        if (target(*id).short_name != "aten.copy_.default" || args.size() < 2) continue;
        if (args[0].node() != no_node && args[1].node() != no_node && is_input(args[0].node())) note_copy(*id);
    }
}

void InductorGraph::note_copy(NodeId copy) {
    const NodeId input = graph_.node(copy).args[0].node();
    NodeId source = graph_.node(copy).args[1].node();
    // An item of what an operator wrote counts as the operator.
    if (is_getitem_of(graph_, source, target(source))) {
        const NodeId list = graph_.node(source).args[0].node();
        if (copies_item_of(graph_, list, target(list), source, input)) source = list;
    }
    copy_back_[{input, source}] = copy;
    first_copy_[{input, no_node}] = copy;

    const NodeId writer = view_base(source);
    if (writer == source) return;
    const ScatterGroup* group = group_of(writer);
    if (!group && !is_inplaceable(target(writer).short_name)) return;
    const auto& args = graph_.node(writer).args;
    const NodeId operand = group ? group->base : args.empty() ? no_node : args[0].node();
    if (operand == no_node || view_base(operand) != input) return;
    const bool is_written_alike =
        group ? layout(operand) && is_kept_by_clone(*layout(operand)) : same_metadata(writer, operand);
    if (is_written_alike && same_metadata(source, input)) copy_back_through_views_[{operand, writer}] = copy;
}

} // namespace inspector
