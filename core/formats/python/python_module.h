// A graph as a Python module that plain torch imports and calls.
//
//     import torch
//
//     def forward(x, y):
//         add = torch.ops.aten.add_.Tensor(x, y);  y = None
//         return (add,)
//
// Nested graphs (cond, while_loop, …) become functions beside `forward`; what get_attr reads and the file does not hold
// is a module-level dictionary to fill; from a .pt2, `load()` reads the lifted tensors, which come first among forward's
// parameters: forward(*load(), *inputs).
#pragma once

#include <cstddef>
#include <string>

#include "core/graph/program.h"
#include "core/graph/result.h"

namespace inspector {

struct PythonModuleOptions {
    bool annotate = false;   ///< as PythonModuleNames::annotate: so that what is known can be read back
    std::string comment;     ///< lines that stand first, each beginning with "# "; empty: which graph of which file it is
    std::string ending;      ///< source that follows the functions
};

/// Source of the module for program.graphs[graph] with `rewritten` in place of its graph; nested graphs as read. ASCII,
/// ends with a newline. `weights_path` is where load() looks unless told otherwise.
/// Error: a node whose target or argument has no safe form in Python (see python_target.h); place is the node.
[[nodiscard]] Result<std::string> print_python_module(const Program& program, std::size_t graph, const Graph& rewritten,
                                                      const std::string& weights_path,
                                                      const PythonModuleOptions& options = {});

} // namespace inspector
