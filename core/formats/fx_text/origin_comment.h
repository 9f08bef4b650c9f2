// The comments print_readable writes above nodes: where they come from in the person's program.
//
//     # File: model.py:6 in forward, code: h = x @ w
//     # Annotation: {'stage': 0} ac_graph_id: 3 - MUST_SAVE File: model.py:6 in forward, code: h = x @ w
//     # No stacktrace found for following nodes
#pragma once

#include <optional>
#include <string_view>

#include "core/graph/graph.h"

namespace inspector::fx_text {

/// Origin of the nodes that follow such a comment; nullopt for any other comment. The stack trace has one frame, in
/// Python's form. What stands before "File:" becomes properties: custom, recompute, ac_graph_id.
/// Source: append_stacktrace_summary of torch/fx/graph.py.
[[nodiscard]] std::optional<NodeOrigin> parse_origin_comment(std::string_view comment);

} // namespace inspector::fx_text
