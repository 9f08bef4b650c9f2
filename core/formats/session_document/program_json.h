// What a program has besides its graphs, as JSON.
#pragma once

#include "core/formats/session_document/json_document.h"
#include "core/graph/program.h"

namespace inspector::session_document {

/// Versions, verifiers, tensors, the archive they lie in, and what Inductor logged.
[[nodiscard]] Json program_json(const Program& program);
void read_program_json(const Json& json, Program& program);

} // namespace inspector::session_document
