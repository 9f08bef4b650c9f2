// What functionalization did, step by step, as one line of JSON.
#pragma once

#include <string>

#include "core/passes/functionalize/session.h"

namespace inspector {

/// {"schema": 1, "file", "graph", "ok": true, "steps": [{"index", "node", "target", "functional_target", "refusal",
/// "written", "values", "aliases": [{"node", "overlaps", "is_read_later"}], "added": [{"node", "role", "source", "kept"}],
/// "redirected": [{"user", "from", "to"}]}], "inputs": [{"input", "value", "copy"}], "summary": {"mutations",
/// "nodes_before", "nodes_after"}}. `kept`: the node is still there at the end. No newline at the end.
[[nodiscard]] std::string functionalization_json(const std::string& file, const std::string& graph, const FunctionalizeSession& session);

} // namespace inspector
