// Brings a rewritten graph back into the Graph it was read from (torch/_export/serde/schema.py). What did not change
// keeps its JSON, metadata nobody models included.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "core/formats/pt2/json_tree.h"
#include "core/graph/graph.h"

namespace inspector::pt2 {

/// `json` is the graph that read_graphs made `original` from; nodes of `rewritten` are the same as the original's where
/// they have the same name. `rewritten` may return more than `original`, in front. getitem and get_attr nodes become results
/// and arguments again. `records`: by name of a node, the JSON object that its metadata "custom" gets as its "reinplace";
/// of a graph that has changed those of before are dropped. Gives whether it has, or was given records. Throws Malformed with
/// the node as its place where the two do not belong together, or something cannot be expressed.
bool write_graph(Json& json, const Graph& original, const Graph& rewritten,
                 const std::map<std::string, std::string>& records);

/// Whether some node calls an operator in place that does not in `original`.
[[nodiscard]] bool has_new_mutation(const Graph& original, const Graph& rewritten);

/// Whether no node calls an operator that writes, as far as anybody knows.
[[nodiscard]] bool is_functional(const Graph& graph);

/// Visits the graphs that nodes of `graph` take as arguments, as {"name", "graph"}; not those nested deeper.
void for_each_nested(Json& graph, const std::function<void(Json& argument)>& visit);

} // namespace inspector::pt2
