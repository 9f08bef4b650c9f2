// The Graph of torch/_export/serde/schema.py as FX has it. The format knows no getitem, get_attr and output nodes; they
// are made here as torch._export.serde.serialize.GraphModuleDeserializer makes them, with these differences, each
// towards the graph that was saved:
//  - results that nothing refers to and that are named "…_unused_N", and results that are None, get no getitem;
//  - a node that returns None keeps its name;
//  - operands of control flow operators are tuples.
#pragma once

#include <string>
#include <vector>

#include "core/formats/pt2/json_tree.h"
#include "core/formats/pt2/value_meta_reader.h"
#include "core/formats/reader.h"
#include "core/graph/program.h"

namespace inspector::pt2 {

/// Reads `graph` and the graphs nested in it and adds them to `graphs`, parents first: of the id "root", "true_graph_0",
/// "true_graph_0.body_graph_0"; of any other id, "id.true_graph_0". `constant_inputs[i]` names input i where it is a constant, which the graph itself
/// leaves nameless; may be shorter. Takes the strings out of `graph`. Throws Malformed with the node as its place for
/// values used before or without definition, names given twice or that are no identifiers, unknown kinds, and beyond
/// the limits.
void read_graphs(Json& graph, const std::string& id, const std::vector<std::string>& constant_inputs, ValueMetaReader& metas,
                 const ReadOptions& options, std::vector<ProgramGraph>& graphs);

} // namespace inspector::pt2
