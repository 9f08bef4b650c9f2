// Symbols of a graph, and sizes that vary between graphs, as one line of JSON.
#pragma once

#include <string>
#include <vector>

#include "core/analysis/size_variation.h"
#include "core/graph/program.h"
#include "core/passes/reinplace/range_effect.h"

namespace inspector {

/// {"schema": 1, "file", "graph", "ok": true, "symbols": [{"name", "minimum", "maximum", "hint", "origin": {"kind",
/// "node", "dimension", "expression"}, "divisible_by", "relations": [{"text", "node", "because"}], "uses"}],
/// "conditions": [{"node", "check", "in_place_if", "only_if", "otherwise"}], "asked": [{"name", "minimum", "maximum"}],
/// "changes": [{"node", "before", "after", "condition"}]}. `program` has the file's ranges; with `asked` everything
/// else is said of those, and "changes" are the decisions that differ. What is not known is null. No newline at the
/// end.
[[nodiscard]] std::string symbols_json(const std::string& file, const ProgramGraph& program,
                                       const std::vector<SymbolRange>& asked);

/// {"schema": 1, "files", "graphs", "ok": true, "inputs": [{"node", "dimension", "sizes", "expression", "free"}],
/// "values": […], "missing", "changed"}.
[[nodiscard]] std::string variation_json(const std::vector<std::string>& files, const std::vector<std::string>& graphs,
                                         const SizeVariation& variation);

} // namespace inspector
