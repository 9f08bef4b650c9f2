// The open program with the types that somebody gave its inputs.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "ui/document/graph_session.h"

namespace inspector {

/// Inputs that somebody gave a type: the graph's id, the input's name.
using GivenTypes = std::set<std::pair<std::string, std::string>>;

/// As read but for the types given, and the sessions on it.
struct TypedProgram {
    std::shared_ptr<const Program> program;
    GivenTypes given;
    GraphSession shown;
    std::map<std::string, GraphSession> others; ///< by graph
};

} // namespace inspector
