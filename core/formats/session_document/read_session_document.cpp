#include <new>

#include "core/formats/reader.h"
#include "core/formats/session_document/graph_json.h"
#include "core/formats/session_document/program_json.h"
#include "core/formats/session_document/session_document.h"
#include "core/formats/session_document/session_json.h"

namespace inspector {
namespace session_document {
namespace {

constexpr const char* version_key = "reinplace_session";

void check_version(const Json& document) {
    const Json& version = member(document, version_key);
    const std::string written_by = text_or_empty(document, "written_by");
    if (version.is_number() && version.get<double>() > session_document_version) // of any length
        throw Malformed{&version, "the document has version " + version.dump() +
                                      (written_by.empty() ? "" : ", written by " + written_by) +
                                      "; this program reads up to version " + std::to_string(session_document_version)};
    if (const std::int64_t number = integer(version); number < 1)
        throw Malformed{&version, std::to_string(number) + " is no version"};
}

SavedSession read_session_on(const Json& json, const Program& program) {
    SavedSession session = read_session(json);
    if (session.graph >= program.graphs.size())
        throw Malformed{&member(json, "graph"), "the document has no graph of this number"};
    if (saved_on(program, session.graph)) throw Malformed{&member(json, "graph"), "another session is on this graph"};
    return session;
}

void read(const Json& document, const ReadOptions& options, Program& program) {
    check_version(document);
    read_program_json(member(document, "program"), program);
    const Json& graphs = list(member(document, "graphs"));
    if (graphs.empty()) throw Malformed{&graphs, "the document holds no graph"};
    if (graphs.size() > options.limits.graphs)
        throw Malformed{&graphs, "has more than " + std::to_string(options.limits.graphs) + " graphs"};
    for (const Json& graph : graphs)
        program.graphs.push_back(read_graph_json(graph, program.graphs.size(), options));
    program.saved = read_session_on(member(document, "session"), program);
    if (const Json* others = find(document, "other_sessions"))
        for (const Json& other : list(*others)) program.other_sessions.push_back(read_session_on(other, program));
}

} // namespace
} // namespace session_document

bool is_session_document(std::string_view text) {
    const auto start = text.find_first_not_of(" \t\r\n");
    return start != std::string_view::npos && text[start] == '{' &&
           text.find("\"reinplace_session\"") != std::string_view::npos;
}

Result<Program> read_session_document(std::string_view text, const ReadOptions& options) {
    using namespace session_document;
    try {
        const auto document = parse_document(text, options.limits);
        if (!document) return tl::unexpected(document.error());
        if (options.progress) options.progress(50);
        Program program;
        program.format = "session_document";
        try {
            read(*document, options, program);
        } catch (Malformed& fault) {
            return fail(pointer_to(*document, fault.where), std::move(fault.reason));
        }
        if (options.progress) options.progress(100);
        return program;
    } catch (const std::bad_alloc&) {
        return fail({}, "there is not enough memory to read it");
    }
}

} // namespace inspector
