// Whether calls of operators give what the operators' schemas ask for.
#pragma once

#include <vector>

#include "core/graph/graph.h"
#include "core/graph/result.h"
#include "core/operators/operator_schema.h"

namespace inspector {

/// How `node`'s arguments differ from the schema of `op`: too many positional ones, keyword-only ones given by position,
/// unknown or repeated keywords, required ones missing. The error's place is the node ("%add"). Types are not compared:
/// Python converts most of them. Empty when all fit.
[[nodiscard]] std::vector<Error> verify_call(const Node& node, const Operator& op);

/// verify_call for every call_function node whose target is a known operator, in program order. Unknown targets are no
/// errors here: a file may use custom operators.
[[nodiscard]] std::vector<Error> verify_schemas(const Graph& graph);

} // namespace inspector
