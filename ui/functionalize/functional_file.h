// Writing and opening the functionalized graph.
#pragma once

#include <QString>

#include "core/graph/result.h"
#include "core/passes/functionalize/functionalize.h"

namespace inspector {

/// Makes program.graphs[graph] functional to its end, with the graphs nested in it, and writes `path` whole or not at all, in the
/// format its ending names (ui/document/made_program.h). Errors: a mutation that is refused, and those of writeMade().
[[nodiscard]] Result<void> writeFunctional(const Program& program, std::size_t graph, Epilogue epilogue, const QString& path);

/// The same into a file to be opened.
[[nodiscard]] Result<QString> functionalFile(const Program& program, std::size_t graph, Epilogue epilogue);

} // namespace inspector
