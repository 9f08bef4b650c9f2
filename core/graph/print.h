// Text forms of a graph, character for character as PyTorch prints them (torch 2.13).
#pragma once

#include <string>

#include "core/graph/program.h"

namespace inspector {

/// "%x", the way FX text names a node's value: `x`, `1e-06`, `torch.float32`, `[%a, 3]`…
[[nodiscard]] std::string format_argument_fx(const Graph& graph, const Argument& argument);
/// str(graph): form (a). Ends without a newline.
[[nodiscard]] std::string print_fx(const Graph& graph);
/// One line of print_fx, without indentation.
[[nodiscard]] std::string print_fx_node(const Graph& graph, NodeId id);

struct ReadableOptions {
    std::string class_name = "GraphModule";
    bool strides = true;  ///< print_readable(include_stride=True)
    bool device = true;   ///< print_readable(include_device=True)
};
/// print_readable(): form (c), nested graphs of `program` below their parent, at the deeper indent PyTorch uses.
[[nodiscard]] std::string print_readable(const Program& program, std::size_t graph, const ReadableOptions& options);
/// One line per element, with the node it belongs to (no_node for class lines, comments, blank lines).
struct ReadableLine { std::string text; NodeId node = no_node; };
[[nodiscard]] std::vector<ReadableLine> print_readable_lines(const Graph& graph, const ReadableOptions& options);
/// "f32[2, s13, 16][16*s13, 16, 1]cpu", "Sym(s13)"; empty where nothing is known or a list.
[[nodiscard]] std::string annotation(const ValueMeta& meta, const ReadableOptions& options);

} // namespace inspector
