// Text forms of a graph, character for character as PyTorch prints them (torch 2.13).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/program.h"

namespace inspector {

/// "%x", the way FX text names a node's value: `x`, `1e-06`, `torch.float32`, `[%a, 3]`…
[[nodiscard]] std::string format_argument_fx(const Graph& graph, const Argument& argument);
/// The way generated code writes it: `x`, `'text'`, `device(type='cpu')`, `(a,)`.
[[nodiscard]] std::string format_argument_python(const Graph& graph, const Argument& argument);
/// str(graph): form (a). Ends without a newline.
[[nodiscard]] std::string print_fx(const Graph& graph);
/// One line of print_fx, without indentation.
[[nodiscard]] std::string print_fx_node(const Graph& graph, NodeId id);

struct ReadableOptions {
    std::string class_name = "GraphModule";
    bool strides = true;  ///< print_readable(include_stride=True)
    bool device = true;   ///< print_readable(include_device=True)
};
/// print_readable(): form (c), nested graphs of `program` below their parent, at the deeper indent PyTorch uses. Ends
/// with a newline.
[[nodiscard]] std::string print_readable(const Program& program, std::size_t graph, const ReadableOptions& options);
/// The same of one graph alone.
[[nodiscard]] std::string print_readable(const Graph& graph, const ReadableOptions& options);

/// Where a node's name stands in a line; bytes of UTF-8.
struct ReadableName {
    std::size_t column = 0;
    std::size_t length = 0;
    NodeId node = no_node;
};
/// One line of print_readable without its newline, with the node it defines (no_node for class and def lines, comments,
/// blank lines) and every place that names a node: definition, operands, and the values freed after it.
struct ReadableLine {
    std::string text;
    NodeId node = no_node;
    std::vector<ReadableName> names;
};
[[nodiscard]] std::vector<ReadableLine> print_readable_lines(const Graph& graph, const ReadableOptions& options);
/// The right side of a node's line, without its name, annotation and what it frees: "torch.ops.aten.relu.default(add)",
/// "split[0]".
[[nodiscard]] std::string format_expression(const Graph& graph, NodeId id);

/// "f32[2, s13, 16][16*s13, 16, 1]cpu", "Sym(s13)"; empty where nothing is known or a list.
[[nodiscard]] std::string annotation(const ValueMeta& meta, const ReadableOptions& options);
/// "File: model.py:6 in forward, code: h = x @ w" of the innermost frame of Python's stack trace; empty where there is
/// none.
[[nodiscard]] std::string stack_summary(std::string_view stack_trace);

} // namespace inspector
