// The option --keep: operators that decompose leaves as they are.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/graph/program.h"

namespace inspector {

/// The first of `names` that is no operator; empty: all are.
[[nodiscard]] std::string unknown_operator(const std::vector<std::string>& names);

/// What may have been meant by a name that is no operator: "; is aten.layer_norm.default meant?". Operators that graphs[graph] or
/// one nested in it calls, the nearest first; where none is near, the one of ATen. Empty: none.
[[nodiscard]] std::string meant_operators(const std::string& name, const Program& program, std::size_t graph);

/// Those of `names`, sorted and each once, that neither graphs[graph] nor one nested in it calls.
[[nodiscard]] std::vector<std::string> not_called(const std::vector<std::string>& names, const Program& program,
                                                  std::size_t graph);

} // namespace inspector
