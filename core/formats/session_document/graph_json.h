// One graph of a program as JSON: its head, and its nodes one a line.
#pragma once

#include <string>
#include <vector>

#include "core/formats/session_document/json_document.h"
#include "core/graph/program.h"

namespace inspector::session_document {

/// `parent`: where the parent stands in the document. Appends to `out`.
void print_graph(const ProgramGraph& graph, std::optional<std::size_t> parent, std::string& out);

/// `before`: the graphs that stand before it. Throws Malformed; a graph that is not well-formed is too.
[[nodiscard]] ProgramGraph read_graph_json(const Json& json, std::size_t before, const ReadOptions& options);

} // namespace inspector::session_document
