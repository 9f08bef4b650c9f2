// A relation between two sizes, which may hold at some values of their symbols only.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "core/graph/symbolic_size.h"

namespace inspector {

enum class SizeRelation : std::uint8_t { equal, not_equal, less, at_most };

/// left R right.
struct SizeCondition {
    SymbolicSize left;
    SizeRelation relation = SizeRelation::equal;
    SymbolicSize right;
    friend bool operator==(const SizeCondition&, const SizeCondition&) = default;
};

using SymbolValueMap = std::map<std::string, std::int64_t>;

/// Whether it holds at these values; nullopt: a symbol has no value, overflow.
[[nodiscard]] std::optional<bool> holds(const SizeCondition& condition, const SymbolValueMap& values);

} // namespace inspector
