// Symbols of a graph, and sizes that vary between graphs, for people.
#pragma once

#include <string>
#include <vector>

#include "core/analysis/size_variation.h"
#include "core/graph/program.h"

namespace inspector {

/// Lines that end in newlines. `program` has the file's ranges; with `asked` the rest is said of those.
[[nodiscard]] std::string symbols_text(const std::string& file, const ProgramGraph& program,
                                       const std::vector<SymbolRange>& asked);
[[nodiscard]] std::string variation_text(const std::vector<std::string>& files, const SizeVariation& variation);

} // namespace inspector
