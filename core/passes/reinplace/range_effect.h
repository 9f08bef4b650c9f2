// And if the sizes had other ranges: which decisions of `sound` would be others.
#pragma once

#include <string>
#include <vector>

#include "core/analysis/symbols.h"
#include "core/graph/program.h"
#include "core/passes/reinplace/decision.h"

namespace inspector {

/// "s0=2..64", "s0=..64", "s0=2..", "s0=8". Error: it is none of these, or the range is empty.
[[nodiscard]] Result<SymbolRange> parse_range(const std::string& text);
/// Of a symbol, only the range: "2..64", "..64", "2..", "8", with spaces around. Errors as above.
[[nodiscard]] Result<SymbolRange> parse_limits(const std::string& symbol, const std::string& limits);
/// Why no size of `symbol` can be in `range`, without a final period; empty where one can. A dimension is not negative.
[[nodiscard]] std::string why_not_range(const SymbolFacts& symbol, const SymbolRange& range);
/// Each symbol's range is what was asked for instead of what the file says.
void set_ranges(ProgramGraph& program, const std::vector<SymbolRange>& ranges);

struct RangeEffect {
    NodeId node = no_node;
    std::string before, after;   ///< "kept", "in place": what is decided with the file's ranges, and with the others
    std::string condition;       ///< that the refusal depended or depends on; empty: none
};
/// Decisions that differ, in order.
[[nodiscard]] std::vector<RangeEffect> range_effects(const ProgramGraph& program, const std::vector<SymbolRange>& ranges);

/// Refusals that depend on sizes, with the ranges as they are: in order of decision.
[[nodiscard]] std::vector<Decision> conditional_refusals(const ProgramGraph& program);

} // namespace inspector
