#include "core/formats/session_document/session_document.h"

#include <span>
#include <vector>

#include "core/formats/session_document/graph_json.h"
#include "core/formats/session_document/program_json.h"
#include "core/formats/session_document/session_json.h"
#include "core/graph/verify.h"

namespace inspector {
namespace {

/// Where each graph stands in the document: those that are not read are not in it.
std::vector<std::size_t> places(const Program& program) {
    std::vector<std::size_t> found;
    std::size_t next = 0;
    for (const ProgramGraph& graph : program.graphs) found.push_back(graph.is_read ? next++ : next);
    return found;
}

} // namespace

Result<std::string> print_program_part(const Program& program) {
    using namespace session_document;
    const std::vector<std::size_t> place = places(program);
    std::string out = " \"program\":" + print_line(program_json(program)) + ",\n \"graphs\":[";
    const char* separator = "\n  ";
    for (const ProgramGraph& graph : program.graphs) {
        if (!graph.is_read) continue;
        if (const auto faults = verify(graph.graph); !faults.empty()) {
            Error error = faults.front();
            error.place = graph.id + (error.place.empty() ? "" : ", " + error.place);
            return tl::unexpected(std::move(error));
        }
        out += separator;
        print_graph(graph, graph.parent ? std::optional(place[*graph.parent]) : std::nullopt, out);
        separator = ",\n  ";
    }
    return out + "]";
}

std::string print_session_document(const Program& program, const std::string& program_part,
                                   const std::vector<SavedSession>& sessions) {
    using namespace session_document;
    const std::vector<std::size_t> place = places(program);
    std::string out = "{\"reinplace_session\":" + std::to_string(session_document_version) +
                      ",\n \"written_by\":" + print_line("Reinplace Inspector " INSPECTOR_VERSION) +
                      ",\n \"session\":" + print_session(sessions.front(), place[sessions.front().graph]) + ",\n";
    const char* separator = " \"other_sessions\":[\n ";
    for (const SavedSession& other : std::span(sessions).subspan(1)) {
        out += separator + print_session(other, place[other.graph]);
        separator = ",\n ";
    }
    if (sessions.size() > 1) out += "],\n";
    return out + program_part + "}\n";
}

} // namespace inspector
