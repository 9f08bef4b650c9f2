// The arguments of a view, or of the scatter that inverts it, by name and for all sizes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/graph/graph.h"
#include "core/operators/operator_schema.h"

namespace inspector {

class ViewArguments {
public:
    /// `args` are those after self (and, of a scatter, after its source). `graph` has the nodes they name. All must outlive
    /// this.
    ViewArguments(const Graph& graph, const Operator& view, std::span<const Argument> args,
                  const std::vector<NamedArgument>& kwargs)
        : graph_(graph), view_(view), args_(args), kwargs_(kwargs) {}

    /// `fallback` where it is left out or None; nullopt where it is no integer.
    [[nodiscard]] std::optional<SymbolicSize> size(std::string_view name, std::optional<SymbolicSize> fallback) const;
    /// The same without symbols.
    [[nodiscard]] std::optional<std::int64_t> integer(std::string_view name, std::optional<std::int64_t> fallback) const;
    /// Counted from the front; nullopt where a tensor of `rank` dimensions has no such one.
    [[nodiscard]] std::optional<std::size_t> dimension(std::string_view name, std::optional<std::int64_t> fallback,
                                                       std::size_t rank) const;
    [[nodiscard]] std::optional<std::vector<SymbolicSize>> sizes(std::string_view name) const;

private:
    [[nodiscard]] const Argument* find(std::string_view name) const;
    [[nodiscard]] std::optional<SymbolicSize> size_of(const Argument& argument) const;

    const Graph& graph_;
    const Operator& view_;
    std::span<const Argument> args_;
    const std::vector<NamedArgument>& kwargs_;
};

/// offset + steps·stride; nullopt where it does not fit.
[[nodiscard]] std::optional<SymbolicSize> advanced(const SymbolicSize& offset, const SymbolicSize& steps,
                                                   const SymbolicSize& stride);

} // namespace inspector
