// What decomposition did, step by step, as one line of JSON.
#pragma once

#include <string>

#include "core/passes/decompose/session.h"

namespace inspector {

/// {"schema": 1, "file", "graph", "ok": true, "steps": [{"index", "node", "target", "rule", "source", "added": [{"node",
/// "target"}], "replaced": [{"from", "to"}]}], "left": [{"node", "target", "reason", "words"}], "summary": {"steps", "left",
/// "nodes_before", "nodes_after"}}. `ok`: nothing is left but what was to be kept. A node that is gone by the end, and was
/// never in the file, is null. No newline at the end.
[[nodiscard]] std::string decomposition_json(const std::string& file, const std::string& graph, const DecomposeSession& session);

} // namespace inspector
