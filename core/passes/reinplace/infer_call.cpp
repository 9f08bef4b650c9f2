#include "core/passes/reinplace/infer_call.h"

#include <string>
#include <utility>
#include <vector>

namespace inspector {
namespace {

using ValueOf = std::function<std::optional<MetaValue>(NodeId)>;

std::optional<MetaValue> meta_value(const Argument& argument, const ValueOf& value_of) {
    if (const NodeId node = argument.node(); node != no_node) return value_of(node);
    if (argument.as<None>()) return MetaValue{};
    const auto* list = argument.as<ArgumentList>();
    bool holds_nodes = false;
    for_each_reference(argument, [&](NodeId) { holds_nodes = true; });
    if (!list || !holds_nodes) return MetaValue{argument};
    MetaList items;
    for (const Argument& item : list->items) {
        auto value = meta_value(item, value_of);
        if (!value) return std::nullopt;
        items.push_back(std::move(*value));
    }
    return MetaValue{std::move(items)};
}

} // namespace

std::optional<MetaValue> infer_call(MetaExecutor& executor, const Operator& op, const Node& node,
                                    const ValueOf& value_of) {
    std::vector<MetaValue> args;
    for (const Argument& argument : node.args) {
        auto value = meta_value(argument, value_of);
        if (!value) return std::nullopt;
        args.push_back(std::move(*value));
    }
    std::vector<std::pair<std::string, MetaValue>> kwargs;
    for (const auto& [name, argument] : node.kwargs) {
        auto value = meta_value(argument, value_of);
        if (!value) return std::nullopt;
        kwargs.emplace_back(name, std::move(*value));
    }
    auto inferred = executor.run(op, args, kwargs);
    return inferred ? std::optional(std::move(*inferred)) : std::nullopt;
}

} // namespace inspector
