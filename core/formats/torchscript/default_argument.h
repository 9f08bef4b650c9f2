// Whether an argument says what the schema says anyway.
#pragma once

#include "core/graph/argument.h"
#include "core/operators/operator_schema.h"

namespace inspector::torchscript {

/// FX graphs leave such arguments out. False where it cannot be told.
[[nodiscard]] bool is_default(const Argument& argument, const SchemaArgument& parameter);

} // namespace inspector::torchscript
