// Reading the file a command is given.
#pragma once

#include <optional>
#include <string>

#include "app/reinplace/input_types.h"
#include "app/reinplace/output.h"
#include "core/graph/program.h"

namespace inspector {

/// The program in `file`, "-" being standard input, with its graphs read; with `graph`, of a log only the graph of that id
/// need be. Inputs take the types of `inputs`. What the reader noticed is told. nullopt: the file cannot be read, holds no
/// graph, or does not take the types; that was told, with `json` among the results too.
[[nodiscard]] std::optional<Program> open_program(const std::string& file, const std::string& graph, bool json, Output& output,
                                                  const InputTypes& inputs = {});

} // namespace inspector
