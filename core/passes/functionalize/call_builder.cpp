#include "core/passes/functionalize/call_builder.h"

#include <algorithm>

#include "core/analysis/aliasing_operators.h"
#include "core/analysis/tensor_extent.h"
#include "core/operators/operator_table.h"

namespace inspector {
namespace {

/// "select_scatter" of aten::select_scatter: what tracing names a node.
std::string candidate_name(const Operator& op) { return op.name.substr(op.name.find("::") + 2); }

} // namespace

Argument with_operand(const Argument& argument, NodeId from, NodeId to) {
    if (argument.node() == from) return NodeReference{to};
    if (const auto* list = argument.as<ArgumentList>()) {
        ArgumentList changed{list->kind, {}};
        for (const Argument& item : list->items) changed.items.push_back(with_operand(item, from, to));
        return changed;
    }
    if (const auto* dict = argument.as<ArgumentDict>()) {
        ArgumentDict changed;
        for (const auto& [key, item] : dict->items) changed.items.emplace_back(key, with_operand(item, from, to));
        return changed;
    }
    return argument;
}

bool same_layout(const TensorLayout& a, const TensorLayout& b) {
    if (a.sizes != b.sizes || a.dtype != b.dtype || a.conjugated != b.conjugated || a.negated != b.negated) return false;
    return a.strides == b.strides || element_count(a.sizes) == 0;
}

CallBuilder::Known& CallBuilder::known(NodeId node) {
    if (index_of(node) >= known_.size()) known_.resize(std::max<std::size_t>(graph_.id_limit(), index_of(node) + 1));
    return known_[index_of(node)];
}

NodeId CallBuilder::source(NodeId node) const {
    const NodeId source = index_of(node) < known_.size() ? known_[index_of(node)].source : no_node;
    return source == no_node ? node : source;
}

const TensorLayout* CallBuilder::layout(NodeId node) const {
    if (index_of(node) < known_.size() && known_[index_of(node)].is_known) {
        const Known& result = known_[index_of(node)];
        return !result.is_list && result.items.size() == 1 && result.items[0] ? &*result.items[0] : nullptr;
    }
    return index_of(node) < facts_.size() ? facts_.tensor(node) : nullptr;
}

std::optional<MetaValue> CallBuilder::evaluate(const Argument& argument) const {
    if (const NodeId node = argument.node(); node != no_node) {
        if (const TensorLayout* tensor = layout(node)) return MetaValue{*tensor};
        if (is_changed(node) && known_[index_of(node)].number) return MetaValue{*known_[index_of(node)].number};
        if (index_of(node) < facts_.size() && facts_.of(node).number) return MetaValue{*facts_.of(node).number};
        if (const auto* scalar = std::get_if<ScalarMeta>(&graph_.node(node).meta))
            if (const auto hint = scalar->value.hint()) return MetaValue{Argument(*hint)};
        return std::nullopt;
    }
    if (argument.as<None>()) return MetaValue{};
    if (const auto* size = argument.as<SymbolicSize>()) {
        const auto hint = size->hint();
        return hint ? std::optional(MetaValue{Argument(*hint)}) : std::nullopt;
    }
    const auto* list = argument.as<ArgumentList>();
    if (!list) return MetaValue{argument};
    MetaList items;
    for (const Argument& item : list->items) {
        auto value = evaluate(item);
        if (!value) return std::nullopt;
        items.push_back(std::move(*value));
    }
    return MetaValue{std::move(items)};
}

std::optional<MetaValue> CallBuilder::infer(const Operator& op, const std::vector<Argument>& args,
                                            const std::vector<NamedArgument>& kwargs) {
    std::vector<MetaValue> values;
    std::vector<std::pair<std::string, MetaValue>> named;
    for (const Argument& argument : args) {
        auto value = evaluate(argument);
        if (!value) return std::nullopt;
        values.push_back(std::move(*value));
    }
    for (const auto& [name, argument] : kwargs) {
        auto value = evaluate(argument);
        if (!value) return std::nullopt;
        named.emplace_back(name, std::move(*value));
    }
    auto result = executor_.run(op, values, named);
    return result ? std::optional(std::move(*result)) : std::nullopt;
}

bool CallBuilder::is_symbolic(const ValueMeta& like) const {
    const auto* tensor = std::get_if<TensorMeta>(&like);
    return tensor ? has_symbols(*tensor) : facts_.is_symbolic();
}

ValueMeta CallBuilder::meta(const ValueMeta& like, const Known& result, std::size_t returns) const {
    const auto* tensor = std::get_if<TensorMeta>(&like);
    if (result.is_list || returns > 1) {
        ListMeta list;
        for (const auto& item : result.items)
            list.items.push_back(item ? std::optional(tensor_meta(*item)) : std::nullopt);
        list.items.resize(std::max(list.items.size(), returns));
        return list;
    }
    const bool is_known = result.items.size() == 1 && result.items[0];
    if (!is_known || is_symbolic(like)) return std::holds_alternative<ListMeta>(like) ? ValueMeta{} : like;
    TensorMeta made = tensor_meta(*result.items[0]);
    if (tensor) {
        made.requires_grad = tensor->requires_grad;
        if (tensor->device) made.device = tensor->device;
    }
    return made;
}

void CallBuilder::learn(NodeId id, const Operator& op) {
    const Node& node = graph_.node(id);
    const auto result = infer(op, node.args, node.kwargs);
    Known& here = known(id);
    here.is_known = true;
    here.is_list = op.returns.size() > 1 || (!op.returns.empty() && op.returns[0].type.ends_with("[]"));
    here.items.clear();
    here.number.reset();
    if (!result) return;
    if (const auto* number = std::get_if<Argument>(&result->value)) here.number = *number;
    if (const auto* tensor = std::get_if<TensorLayout>(&result->value)) {
        here.items.emplace_back(*tensor);
    } else if (const auto* items = std::get_if<MetaList>(&result->value)) {
        for (const MetaValue& item : *items) {
            const auto* layout = std::get_if<TensorLayout>(&item.value);
            here.items.push_back(layout ? std::optional(*layout) : std::nullopt);
        }
    }
}

NodeId CallBuilder::insert(NodeId position, Node node, NodeId source) {
    node.origin = graph_.node(source).origin;
    node.origin.created_by_pass = true;
    const NodeId id = graph_.insert_before(position, std::move(node));
    known(id) = {};
    known(id).source = source;
    return id;
}

NodeId CallBuilder::call(NodeId position, const Operator& op, std::vector<Argument> args, std::vector<NamedArgument> kwargs,
                         const ValueMeta& like, NodeId source) {
    Node node;
    node.name = graph_.fresh_name(candidate_name(op));
    node.target = "torch.ops." + op.short_target();
    node.args = std::move(args);
    node.kwargs = std::move(kwargs);
    const NodeId id = insert(position, std::move(node), source);
    learn(id, op);
    graph_.set_meta(id, meta(like, known(id), op.returns.size()));
    return id;
}

NodeId CallBuilder::view_again(NodeId position, const ViewLink& link, NodeId viewed, const ValueMeta& like, NodeId source) {
    Node node;
    node.opcode = link.opcode;
    node.target = link.target;
    node.name = graph_.fresh_name(link.op ? candidate_name(*link.op) : graph_.node(source).name);
    for (const Argument& argument : link.args) node.args.push_back(with_operand(argument, link.viewed, viewed));
    for (const auto& [name, argument] : link.kwargs) node.kwargs.emplace_back(name, with_operand(argument, link.viewed, viewed));
    node.meta = like;
    const NodeId id = insert(position, std::move(node), source);
    if (link.op) {
        learn(id, *link.op);
        graph_.set_meta(id, meta(like, known(id), link.op->returns.size()));
    } else {
        known(id).is_known = true;
    }
    return id;
}

NodeId CallBuilder::item(NodeId position, NodeId list, std::size_t index, const ValueMeta& like, NodeId source) {
    Node node;
    node.name = graph_.fresh_name("getitem");
    node.target = "operator.getitem";
    node.args = {NodeReference{list}, static_cast<std::int64_t>(index)};
    const NodeId id = insert(position, std::move(node), source);
    Known& here = known(id);
    here.is_known = true;
    const Known& all = known(list);
    if (index < all.items.size()) here.items = {all.items[index]};
    graph_.set_meta(id, meta(like, here, 1));
    return id;
}

void CallBuilder::change(NodeId id, const Operator& op, std::vector<Argument> args, std::vector<NamedArgument> kwargs) {
    const ValueMeta like = graph_.node(id).meta;
    graph_.set_target(id, "torch.ops." + op.short_target());
    graph_.set_arguments(id, std::move(args), std::move(kwargs));
    learn(id, op);
    graph_.set_meta(id, meta(like, known(id), op.returns.size()));
}

void CallBuilder::refresh(NodeId id) {
    const std::vector<NodeId> inputs = graph_.inputs(id);
    if (std::ranges::none_of(inputs, [&](NodeId input) { return is_changed(input); })) return;
    const Operator* op = OperatorTable::instance().find(graph_.node(id).target);
    if (!op || op->returns.size() != 1 || !(may_return_argument(*op) || may_keep_offset(*op))) return;
    learn(id, *op);
    Known& here = known(id);
    const bool is_full = !here.items.empty() && std::ranges::all_of(here.items, [](const auto& item) { return item.has_value(); });
    if (!is_full) here = {};
    else graph_.set_meta(id, meta(graph_.node(id).meta, here, 1));
}

void CallBuilder::refresh_item(NodeId id, NodeId list, std::size_t index) {
    if (!is_changed(list) || index >= known_[index_of(list)].items.size()) return;
    Known& here = known(id);
    here.is_known = true;
    here.items = {known_[index_of(list)].items[index]};
    graph_.set_meta(id, meta(graph_.node(id).meta, here, 1));
}

} // namespace inspector
