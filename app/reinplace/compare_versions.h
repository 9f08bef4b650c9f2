// Two versions of a program under one policy: for a backend's own CI, which must notice that ops are no longer
// reinplaced.
#pragma once

#include <string>

#include "app/reinplace/output.h"

namespace inspector {

/// Pairs graphs by id and nodes by name, and tells for each graph which ops were reinplaced in `before` and are kept in
/// `after`, with the reason there, and the other way round. Answers no where a graph of `after` has fewer reinplaced ops
/// than the one of `before`, or is missing. `graph`: only the graph of that id; empty: all.
void compare_versions(const std::string& before, const std::string& after, const std::string& policy, const std::string& graph,
                      bool json, Output& output);

} // namespace inspector
