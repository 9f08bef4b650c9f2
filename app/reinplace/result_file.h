// Writing a graph to the file that a command's -o names.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "app/reinplace/input_types.h"
#include "app/reinplace/output.h"
#include "core/graph/program.h"
#include "core/passes/reinplace/session.h"

namespace inspector {

/// `format`, or where it is empty the one that the ending of `out` names. Error: none; a .pt2 for standard output; `out` is
/// the file `source` to read.
[[nodiscard]] Result<std::string> result_format(const std::string& format, const std::string& out, const std::string& source);

/// A graph to write something made of.
struct ChosenGraph {
    Program program;
    std::size_t index = 0; ///< of program.graphs
};
/// Opens `file` and chooses the graph named `graph`, or the root where that is empty, for a result in `format`. nullopt: the
/// file cannot be read, nothing of it can be written so, `inputs` do not fit it, or there is no such graph; that was told.
[[nodiscard]] std::optional<ChosenGraph> open_graph(const std::string& file, const std::string& graph,
                                                    const std::string& format, const InputTypes& inputs,
                                                    Output& output);

/// The text of program.graphs[index] in `format`: fx, python, dot or svg. Verdicts of
/// `session` are drawn, where there is one.
[[nodiscard]] Result<std::string> graph_text(const std::string& format, const Program& program, std::size_t index,
                                             const ReinplaceSession* session, Output& output);

/// To the file, or to standard output where `out` is "-".
[[nodiscard]] Result<void> write_text(std::string text, const std::string& out, Output& output);

} // namespace inspector
