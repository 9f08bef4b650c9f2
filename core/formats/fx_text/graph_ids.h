// Ids of a text's graphs: unique in the file, and made of words a person can type.
#pragma once

#include <vector>

#include "core/graph/program.h"

namespace inspector::fx_text {

/// Sets the id of every graph from its title, parent and attribute:
/// - the only graph without a parent is "root";
/// - of several, each has its title in lower case, other characters as single underscores and torch's UUID left out
///   ("===== Forward graph 0 =====" is "forward_graph_0", "__compiled_fn_1_c1ab…" is "compiled_fn_1"); the second of
///   one title ends in "_1", the third in "_2";
/// - a nested graph has its attribute's name, behind its parent's id and a dot unless the parent is "root".
void set_graph_ids(std::vector<ProgramGraph>& graphs);

} // namespace inspector::fx_text
