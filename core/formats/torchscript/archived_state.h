// A module's attributes from a TorchScript archive.
#pragma once

#include <cstdint>
#include <string>

#include "core/formats/pt2/archive.h"
#include "core/formats/torchscript/script_module.h"
#include "core/graph/program.h"

namespace inspector::torchscript {

/// Where a class's code says which attributes are parameters is asked by the caller: `is_parameter` of what is returned is
/// whether the tensor requires grad. Shapes of traced inputs are taken where the archive has them. Notes go to `program`.
/// Errors: a record is missing or damaged; modules nested deeper than `depth`.
[[nodiscard]] Result<ModuleState> read_state(const pt2::Archive& archive, std::uint32_t depth, std::uint64_t limit, Program& program);

} // namespace inspector::torchscript
