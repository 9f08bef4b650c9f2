// Reading the file a command is given.
#pragma once

#include <optional>
#include <string>

#include "app/reinplace/output.h"
#include "core/graph/program.h"

namespace inspector {

/// The program in `file`, "-" being standard input, with its graphs read; with `graph`, of a log only the graph of that id
/// need be. What the reader noticed is told. nullopt: the file cannot be read, or holds no graph; that was told, with
/// `json` among the results too.
[[nodiscard]] std::optional<Program> open_program(const std::string& file, const std::string& graph, bool json, Output& output);

} // namespace inspector
