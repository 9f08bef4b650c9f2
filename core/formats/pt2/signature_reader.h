// GraphSignature, range constraints and module calls of torch/_export/serde/schema.py.
#pragma once

#include <string>
#include <vector>

#include "core/formats/pt2/json_tree.h"
#include "core/graph/program.h"

namespace inspector::pt2 {

/// A constant input keeps the name that its specification gives it, or none; check_signature supplies the rest.
[[nodiscard]] Signature read_signature(Json& signature);
/// Names what `signature` leaves nameless by the graph's placeholders. Throws Malformed where specifications and
/// placeholders or outputs do not agree in number and name, as torch's verifier demands.
void check_signature(Signature& signature, const Graph& graph);

/// {"s77": {"min_val": 2, "max_val": null}}, in the file's order.
[[nodiscard]] std::vector<SymbolRange> read_ranges(Json& constraints);
/// Modules without a signature have no inputs and outputs here.
[[nodiscard]] std::vector<ModuleCall> read_module_calls(Json& calls);

} // namespace inspector::pt2
