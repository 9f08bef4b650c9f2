#include "core/analysis/view_arguments.h"

#include <algorithm>

#include "core/graph/symbolic_arithmetic.h"

namespace inspector {

using Size = std::optional<SymbolicSize>;

Size ViewArguments::size(std::string_view name, Size fallback) const {
    const Argument* argument = find(name);
    return argument && !argument->as<None>() ? size_of(*argument) : fallback;
}

std::optional<std::int64_t> ViewArguments::integer(std::string_view name, std::optional<std::int64_t> fallback) const {
    const Size given = size(name, fallback ? Size(*fallback) : std::nullopt);
    return given ? given->constant() : std::nullopt;
}

std::optional<std::size_t> ViewArguments::dimension(std::string_view name, std::optional<std::int64_t> fallback,
                                                    std::size_t rank) const {
    const auto given = integer(name, fallback);
    const auto count = static_cast<std::int64_t>(rank);
    if (!given || *given < -count || *given >= count) return std::nullopt;
    return static_cast<std::size_t>(*given < 0 ? *given + count : *given);
}

std::optional<std::vector<SymbolicSize>> ViewArguments::sizes(std::string_view name) const {
    const Argument* argument = find(name);
    const auto* list = argument ? argument->as<ArgumentList>() : nullptr;
    if (!list) return std::nullopt;
    std::vector<SymbolicSize> all;
    for (const Argument& item : list->items) {
        Size size = size_of(item);
        if (!size) return std::nullopt;
        all.push_back(std::move(*size));
    }
    return all;
}

const Argument* ViewArguments::find(std::string_view name) const {
    const auto place = std::ranges::find(view_.arguments, name, &SchemaArgument::name) - view_.arguments.begin();
    if (place > 0 && static_cast<std::size_t>(place - 1) < args_.size()) return &args_[static_cast<std::size_t>(place - 1)];
    const auto keyword = std::ranges::find(kwargs_, name, &NamedArgument::first);
    return keyword == kwargs_.end() ? nullptr : &keyword->second;
}

Size ViewArguments::size_of(const Argument& argument) const {
    if (const auto* number = argument.as<std::int64_t>()) return *number;
    if (const auto* size = argument.as<SymbolicSize>()) return *size;
    const NodeId node = argument.node();
    if (node == no_node || index_of(node) >= graph_.id_limit()) return std::nullopt;
    const auto* scalar = std::get_if<ScalarMeta>(&graph_.node(node).meta);
    return scalar && scalar->kind == ScalarMeta::Kind::integer ? Size(scalar->value) : std::nullopt;
}

Size advanced(const SymbolicSize& offset, const SymbolicSize& steps, const SymbolicSize& stride) {
    const Size distance = product(steps, stride);
    return distance ? sum(offset, *distance) : std::nullopt;
}

} // namespace inspector
