// The part of a written module that reads an ExportedProgram's lifted tensors back from its .pt2.
#pragma once

#include <string>

#include "core/graph/program.h"

namespace inspector {

struct PythonLoader {
    std::string imports;   ///< lines; empty where the graph has no lifted tensors
    std::string functions; ///< `load(path=…)`, with two blank lines before it
};

/// load() gives the parameters, buffers and constants that the signature lists, in its order. Tensors that shared a storage
/// share it again. Where a tensor cannot be read (kept as a pickle, missing, not strided), load() raises and names it.
[[nodiscard]] PythonLoader make_python_loader(const Program& program, const ProgramGraph& graph,
                                              const std::string& weights_path);

} // namespace inspector
