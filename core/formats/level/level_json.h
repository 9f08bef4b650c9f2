// What level a graph is at and what it is made of, as one line of JSON.
#pragma once

#include <cstddef>
#include <string>

#include "core/graph/nesting.h"

namespace inspector {

/// {"schema": 1, "file", "graph", "ok": true, "level", "own_level" (without nested graphs), "why", "against":
/// [{"level", "operators": [{"target", "kind", "nodes"}]}] for each level above, "operators": [{"target", "obstacle",
/// "schema", "tags", "core", "composite", "decomposable", "functional", "in_place", "out", "meta", "own_meta",
/// "nodes"}], "missing_meta":
/// [{"target", "needed", "nodes", "unknown"}]}. Nodes are {"graph", "node"}; "unknown" are those of them whose layout
/// the file does not give. What is not known, or is not there, is null. No newline at the end. `nesting`: of `program`.
[[nodiscard]] std::string level_json(const Program& program, std::size_t graph, const Nesting& nesting);

} // namespace inspector
