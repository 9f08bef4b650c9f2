// Which graphs of a file a command means.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/graph/program.h"

namespace inspector {

/// Indices into program.graphs, in the file's order: the graph named `id`, or all when it is empty.
/// Error: no such graph; the reason lists those there are.
[[nodiscard]] Result<std::vector<std::size_t>> choose_graphs(const Program& program, const std::string& id);

/// The graph named `id`; when it is empty the root, which is the only graph that no other holds.
/// Error: no such graph, or several to choose from; the reason lists them.
[[nodiscard]] Result<std::size_t> choose_graph(const Program& program, const std::string& id);

} // namespace inspector
