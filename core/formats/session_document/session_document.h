// Our own document: graphs and what somebody has done with them, as one JSON text that can be kept and mailed.
//
//     {"reinplace_session":1,
//      "written_by":"Reinplace Inspector 1.0",
//      "session":{"graph":0,"policy":"sound","position":3,"choices":{"add_1":"force"},…,
//       "decisions":[
//        {"node":"add","verdict":"reinplaced","check":"inplace_variant","reason":"has_inplace_variant"},…]},
//      "other_sessions":[{"graph":1,…},…],
//      "program":{…},
//      "graphs":[{"id":"root",…,
//       "nodes":[
//        {"op":"placeholder","name":"x","target":"x","meta":{…}},…]}]}
//
// One node, and one decision, a line. docs/formats.md has the members. Weights are not in it: "archive" names the .pt2
// they lie in, with its size and checksum. Reading is read_session_document() of formats/reader.h.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/formats/atomic_file.h"
#include "core/graph/program.h"
#include "core/graph/result.h"

namespace inspector {

/// The newest version this program writes, and reads.
inline constexpr int session_document_version = 1;

[[nodiscard]] bool is_session_document(std::string_view text);

/// Everything of a document but the session: what stays the same while somebody works on a program. Graphs that are
/// not read yet are left out. Error: a graph that is not well-formed; place is the graph and node.
[[nodiscard]] Result<std::string> print_program_part(const Program& program);

/// The document of a program, whose print_program_part() is `program_part`, and sessions on its graphs: that of the shown
/// one first, no two of one graph, at least one. Valid UTF-8. `SavedSession::graph` is an index in `program`, of a graph
/// that is read.
[[nodiscard]] std::string print_session_document(const Program& program, const std::string& program_part,
                                                 const std::vector<SavedSession>& sessions);

/// Looks for the .pt2 that a document read from `path` refers to: at its path, then beside the document. Where none is
/// the one that was saved, program.archive is not at hand, and a note says what is lacking.
void find_archive(Program& program, const std::string& path);

} // namespace inspector
