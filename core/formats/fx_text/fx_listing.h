// Form (a): what str(graph) prints.
//
//     graph():
//         %x : [num_users=1] = placeholder[target=x]
//         %add : [num_users=1] = call_function[target=torch.ops.aten.add.Tensor](args = (%x, 1), kwargs = {})
//         return (add,)
#pragma once

#include "core/formats/fx_text/bare_argument.h"
#include "core/formats/fx_text/python_function.h"

namespace inspector::fx_text {

/// Reads the listing whose line "graph(…):" is line `first` of `source`, up to and with its `return`. ParsedGraph::end
/// is the offset behind it. A node's text may go over several lines (a string can hold a newline). A wrong num_users
/// is noted, not refused. Source: Node.format_node of torch/fx/node.py.
[[nodiscard]] Result<ParsedGraph> parse_fx_listing(const SourceText& source, std::size_t first,
                                                   const ReadOptions& options, const FindOperator& find_operator);

/// Whether a line begins a listing; `line` may be indented.
[[nodiscard]] bool is_fx_listing_start(std::string_view line);

} // namespace inspector::fx_text
