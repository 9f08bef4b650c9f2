// Operators of unknown schema, in what is said of a graph that was made functional.
#pragma once

#include <cstddef>

#include "app/reinplace/output.h"
#include "core/graph/program.h"

namespace inspector {

/// A line on standard error for each operator that is taken to write nothing, though nobody here knows it.
void tell_unknown_operators(const Program& program, std::size_t graph, Output& output);

} // namespace inspector
