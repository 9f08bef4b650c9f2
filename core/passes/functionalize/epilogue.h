// What becomes of inputs, buffers and parameters that a graph writes, when it is made functional.
#pragma once

#include <cstdint>
#include <vector>

#include "core/graph/program.h"
#include "core/passes/functionalize/step.h"

namespace inspector {

enum class Epilogue : std::uint8_t {
    outputs, ///< their final values are returned, before what the graph returns; the signature says of what
    copies,  ///< copy_ nodes at the end write them back
};

/// The signature of `functional`, which was made of `source` and returns the final values of `written` first (Epilogue::
/// outputs). Buffers, parameters and user inputs have specifications of their own; where `source` has no signature, all its
/// inputs are user inputs. With no `written`, outputs keep their kinds and get the names they have now.
[[nodiscard]] Signature functional_signature(const ProgramGraph& source, const Graph& functional,
                                             const std::vector<WrittenInput>& written);

} // namespace inspector
