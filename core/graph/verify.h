// Well-formedness of a graph: what every reader and every edit must leave true.
#pragma once

#include <vector>

#include "core/graph/graph.h"
#include "core/graph/result.h"

namespace inspector {

/// Values used before or without definition, names not unique, more than one output or an output that is not last,
/// placeholders after other nodes than get_attr, references to erased nodes, use lists that disagree with arguments.
/// Empty when the graph is well-formed. Arity against the schema is operators/verify_schema.h's.
[[nodiscard]] std::vector<Error> verify(const Graph& graph);

} // namespace inspector
