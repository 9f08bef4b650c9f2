#include "core/passes/decompose/replacement.h"

#include <algorithm>
#include <numeric>

#include "core/graph/symbolic_arithmetic.h"

namespace inspector::decomposition {
namespace {

bool is_getitem(const Node& node) { return node.target == "operator.getitem" || node.target == "_operator.getitem"; }

bool same(Call& call, const SymbolicSize& a, const SymbolicSize& b) {
    if (a == b) return true;
    if (a.is_constant() && b.is_constant()) return false;
    const auto x = call.metadata().samples().numbers(a), y = call.metadata().samples().numbers(b);
    return x && y && *x == *y;
}

bool is_one(const SymbolicSize& size) { return size.constant() == 1; }

bool same_sizes(Call& call, const TensorMeta& a, const TensorMeta& b) {
    return std::ranges::equal(a.sizes, b.sizes, [&](const auto& x, const auto& y) { return same(call, x, y); });
}

/// Strides of dimensions with one index, and of empty tensors, mean nothing.
bool same_strides(Call& call, const TensorMeta& made, const TensorMeta& wanted) {
    if (!made.strides || !wanted.strides) return true;
    if (std::ranges::any_of(wanted.sizes, [](const auto& size) { return size.constant() == 0; })) return true;
    for (std::size_t i = 0; i < wanted.sizes.size(); ++i)
        if (!is_one(wanted.sizes[i]) && !same(call, (*made.strides)[i], (*wanted.strides)[i])) return false;
    return true;
}

/// The dimensions from the largest stride to the smallest, where they lie without gaps in that order.
std::optional<std::vector<std::int64_t>> dense_order(Call& call, const TensorMeta& meta) {
    std::vector<std::int64_t> order(meta.sizes.size());
    std::iota(order.begin(), order.end(), 0);
    const auto stride = [&](std::int64_t dim) -> std::int64_t {
        const auto numbers = call.metadata().samples().numbers((*meta.strides)[static_cast<std::size_t>(dim)]);
        return numbers ? numbers->front() : 0;
    };
    std::ranges::stable_sort(order, [&](std::int64_t a, std::int64_t b) { return stride(a) > stride(b); });
    SymbolicSize step = std::int64_t{1};
    for (std::size_t i = order.size(); i-- > 0;) {
        const auto dim = static_cast<std::size_t>(order[i]);
        if (is_one(meta.sizes[dim])) continue;
        if (!same(call, (*meta.strides)[dim], step)) return std::nullopt;
        const auto next = product(step, meta.sizes[dim]);
        if (!next) return std::nullopt;
        step = *next;
    }
    return order;
}

Tensor with_strides(Call& call, const Tensor& value, const TensorMeta& wanted) {
    const std::vector<NamedArgument> contiguous{{"memory_format", MemoryFormat::contiguous}};
    const auto order = dense_order(call, wanted);
    if (!order) {
        call.trouble("the result lies in memory as nothing here can lay it");
        return value;
    }
    if (std::ranges::is_sorted(*order)) return call.add("clone.default", {value}, contiguous);
    std::vector<std::int64_t> back(order->size());
    for (std::size_t i = 0; i < order->size(); ++i) back[static_cast<std::size_t>((*order)[i])] = static_cast<std::int64_t>(i);
    const Tensor ordered = call("permute.default", value, list(*order));
    return call("permute.default", call.add("clone.default", {ordered}, contiguous), list(back));
}

} // namespace

void fit_results(Call& call, Values& values) {
    if (values.is_list) return;
    for (std::size_t i = 0; i < values.items.size() && !call.has_trouble(); ++i) {
        const NodeId node = values.items[i].node();
        if (node == no_node) continue;
        const auto* made = std::get_if<TensorMeta>(&call.graph().node(node).meta);
        const TensorMeta wanted = made ? call.result(i) : TensorMeta{};
        if (!made || call.has_trouble()) continue;
        if (made->dtype != wanted.dtype || !same_sizes(call, *made, wanted)) {
            call.trouble("the rule gives another size or type than the graph says");
        } else if (!same_strides(call, *made, wanted)) {
            values.items[i] = with_strides(call, {call, node}, wanted);
        }
    }
}

namespace {

/// References to `call` become the list of its results.
Argument with_list(const Argument& argument, NodeId call, const std::vector<Argument>& items) {
    if (argument.node() == call) return ArgumentList{ArgumentList::Kind::list, items};
    const auto* list = argument.as<ArgumentList>();
    if (!list) return argument;
    ArgumentList changed{list->kind, {}};
    for (const Argument& item : list->items) changed.items.push_back(with_list(item, call, items));
    return changed;
}

void redirect(Graph& graph, NodeId from, NodeId to, Replacement& record) {
    for (const NodeId user : graph.users(from)) graph.replace_input(user, from, to);
    record.replaced.emplace_back(from, to);
}

} // namespace

Replacement replace_call(Graph& graph, NodeId call, const Values& values) {
    Replacement record;
    const bool has_items = std::holds_alternative<ListMeta>(graph.node(call).meta);
    if (values.is_list || !has_items) {
        if (!values.items.empty() && values.items.front().node() != no_node) redirect(graph, call, values.items.front().node(), record);
    } else {
        for (const NodeId user : graph.users(call)) {
            const Node node = graph.node(user);
            const auto* place = is_getitem(node) && node.args.size() > 1 ? node.args[1].as<std::int64_t>() : nullptr;
            if (!place) {
                std::vector<Argument> args;
                std::vector<NamedArgument> kwargs;
                for (const Argument& argument : node.args) args.push_back(with_list(argument, call, values.items));
                for (const auto& [name, argument] : node.kwargs) kwargs.emplace_back(name, with_list(argument, call, values.items));
                graph.set_arguments(user, std::move(args), std::move(kwargs));
                continue;
            }
            const std::int64_t index = *place < 0 ? *place + static_cast<std::int64_t>(values.items.size()) : *place;
            const NodeId value = index >= 0 && index < static_cast<std::int64_t>(values.items.size())
                                     ? values.items[static_cast<std::size_t>(index)].node()
                                     : no_node;
            if (value != no_node) redirect(graph, user, value, record);
            if (graph.has_users(user)) continue;
            graph.erase(user);
            record.erased.push_back(user);
        }
    }
    if (!graph.has_users(call)) {
        graph.erase(call);
        record.erased.push_back(call);
    }
    return record;
}

} // namespace inspector::decomposition
