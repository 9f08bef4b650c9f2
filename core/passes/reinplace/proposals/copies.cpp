#include "core/passes/reinplace/proposals/copies.h"

#include <algorithm>

#include "core/passes/reinplace/layout_sensitivity.h"

namespace inspector {
namespace {

/// Metadata for a layout. Numbers that stand for symbols are none: there, a value of the graph that lies the same way
/// lends its symbols.
std::optional<TensorMeta> describe(const RefusedNode& refused, const TensorLayout& layout,
                                   std::initializer_list<NodeId> models) {
    TensorMeta meta;
    meta.dtype = layout.dtype;
    meta.device = layout.device;
    meta.storage_offset = layout.storage_offset;
    if (!refused.facts().is_symbolic()) {
        meta.sizes.assign(layout.sizes.begin(), layout.sizes.end());
        meta.strides.emplace(layout.strides.begin(), layout.strides.end());
        return meta;
    }
    for (const NodeId model : models) {
        const auto* given = std::get_if<TensorMeta>(&refused.graph().node(model).meta);
        const TensorLayout* known = refused.layout(model);
        if (!given || !given->strides || !known || !same_strides(*known, layout)) continue;
        meta.sizes = given->sizes;
        meta.strides = given->strides;
        return meta;
    }
    return std::nullopt;
}

/// Appends a call to the chain; false where its result, or a description of it, cannot be found out.
bool add_call(Copy& copy, const RefusedNode& refused, const std::string& target, std::vector<Argument> further,
              std::vector<NamedArgument> kwargs, std::initializer_list<NodeId> models) {
    const Operator* op = OperatorTable::instance().find(target);
    std::vector<MetaValue> args{{copy.layout}};
    for (const Argument& argument : further) args.push_back({argument});
    std::vector<std::pair<std::string, MetaValue>> named;
    for (const auto& [name, argument] : kwargs) named.emplace_back(name, MetaValue{argument});
    MetaExecutor executor;
    const auto result = op ? executor.run(*op, args, named) : fail("", "");
    const auto* layout = result ? std::get_if<TensorLayout>(&result->value) : nullptr;
    if (!layout) return false;
    auto meta = describe(refused, *layout, models);
    if (!meta) return false;
    copy.layout = *layout;
    copy.calls.push_back({target, std::move(further), std::move(kwargs), std::move(*meta)});
    return true;
}

const std::vector<std::vector<NamedArgument>>& memory_formats() {
    static const std::vector<std::vector<NamedArgument>> formats{{}, {{"memory_format", MemoryFormat::contiguous}}};
    return formats;
}

std::string name_of(const std::string& target) {
    const std::string short_name = target.substr(std::string("torch.ops.aten.").size());
    return short_name.substr(0, short_name.find('.'));
}

} // namespace

std::optional<Copy> clone_of(const RefusedNode& refused, NodeId value, const TensorLayout* like) {
    const TensorLayout* known = refused.layout(value);
    if (!known || known->conjugated || known->negated) return std::nullopt;
    for (const auto& format : memory_formats()) {
        Copy copy{{}, *known};
        if (add_call(copy, refused, "torch.ops.aten.clone.default", {}, format, {value, refused.node}) &&
            (!like || same_strides(copy.layout, *like)))
            return copy;
        if (!like) break;
    }
    return std::nullopt;
}

std::optional<Copy> converted_copy(const RefusedNode& refused, NodeId value, const TensorLayout& like) {
    const TensorLayout* known = refused.layout(value);
    if (!known || known->conjugated || known->negated) return std::nullopt;
    for (const auto& format : memory_formats()) {
        Copy copy{{}, *known};
        if (known->sizes != like.sizes) {
            if (refused.facts().is_symbolic()) return std::nullopt;
            ArgumentList sizes;
            for (const std::int64_t size : like.sizes) sizes.items.emplace_back(size);
            if (!add_call(copy, refused, "torch.ops.aten.expand.default", {std::move(sizes)}, {}, {}))
                return std::nullopt;
        }
        std::vector<NamedArgument> kwargs = format;
        const bool casts = known->dtype != like.dtype;
        if (casts) kwargs.insert(kwargs.begin(), {"dtype", like.dtype});
        const char* target = casts ? "torch.ops.aten._to_copy.default" : "torch.ops.aten.clone.default";
        if (add_call(copy, refused, target, {}, std::move(kwargs), {value, refused.node}) &&
            copy.layout.dtype == like.dtype && same_strides(copy.layout, like))
            return copy;
    }
    return std::nullopt;
}

NodeId insert_copy(Graph& graph, const Copy& copy, NodeId value, NodeId position) {
    for (const Copy::Call& call : copy.calls) {
        Node node;
        node.opcode = Opcode::call_function;
        node.name = graph.fresh_name(name_of(call.target));
        node.target = call.target;
        node.args.emplace_back(NodeReference{value});
        node.args.insert(node.args.end(), call.further.begin(), call.further.end());
        node.kwargs = call.kwargs;
        node.meta = call.meta;
        node.origin.created_by_pass = true;
        value = graph.insert_before(position, std::move(node));
    }
    return value;
}

std::function<void(ChangedProgram&)> replace_self(const RefusedNode& refused, Copy copy) {
    return [copy = std::move(copy), self = refused.self, id = refused.node](ChangedProgram& changed) {
        Graph& graph = changed.program.graph;
        auto args = graph.node(id).args;
        args[0] = NodeReference{insert_copy(graph, copy, self, id)};
        graph.set_arguments(id, std::move(args), graph.node(id).kwargs);
    };
}

Argument with_reference(const Argument& argument, NodeId from, NodeId to) {
    if (argument.node() == from && from != no_node) return NodeReference{to};
    if (const auto* list = argument.as<ArgumentList>()) {
        ArgumentList changed = *list;
        for (Argument& item : changed.items) item = with_reference(item, from, to);
        return changed;
    }
    if (const auto* dict = argument.as<ArgumentDict>()) {
        ArgumentDict changed = *dict;
        for (auto& [key, item] : changed.items) item = with_reference(item, from, to);
        return changed;
    }
    return argument;
}

} // namespace inspector
