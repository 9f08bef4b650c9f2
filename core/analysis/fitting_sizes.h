// Sample sizes for symbols that fit each other: the graph's operators take them.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/analysis/size_facts.h"
#include "core/graph/program.h"
#include "core/graph/size_condition.h"

namespace inspector {

struct FittingSizes {
    SymbolValueMap values;            ///< of every symbol asked for
    std::vector<SizeFact> unfulfilled; ///< where none were found: what these values do not fulfil
};

/// `given` stay as they are. The others are small, in range, at least 2 where the range allows, and distinct where they
/// may be (so that swapped dimensions show), from 4 on. Facts about symbols that are not asked for are left out.
[[nodiscard]] FittingSizes choose_fitting_sizes(const ProgramGraph& program, const std::set<std::string>& symbols, const SymbolValueMap& given);

} // namespace inspector
