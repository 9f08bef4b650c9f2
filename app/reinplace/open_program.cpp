#include "app/reinplace/open_program.h"

#include <algorithm>
#include <utility>

#include "core/formats/reader.h"
#include "core/graph/utf8.h"

namespace inspector {
namespace {

/// Whether `id` is that of `graph` or of a graph nested in it.
bool belongs_to(const std::string& id, const ProgramGraph& graph) {
    return id.starts_with(graph.id) && (id.size() == graph.id.size() || id[graph.id.size()] == '.');
}

Result<Program> read_for(const std::string& file, const std::string& graph) {
    if (graph.empty()) return read_program(file);
    ReadOptions options;
    options.read_at_once = 0;
    auto program = read_program(file, options);
    if (!program) return program;
    // The last, since "a.b" belongs to both "a" and "a.b".
    std::optional<std::size_t> wanted;
    for (std::size_t i = 0; i < program->graphs.size(); ++i)
        if (belongs_to(graph, program->graphs[i]) &&
            (!wanted || program->graphs[i].id.size() > program->graphs[*wanted].id.size()))
            wanted = i;
    if (!wanted || program->graphs[*wanted].is_read) return program;
    return read_graph(*program, *wanted).map([](ReadGraph&& read) { return std::move(read.program); });
}

} // namespace

std::optional<Program> open_program(const std::string& file, const std::string& graph, bool json, Output& output,
                                    const InputTypes& inputs) {
    auto program = read_for(file, graph);
    if (!program) {
        output.file_problem(file, program.error().message(), ExitStatus::failed, json);
        return std::nullopt;
    }
    for (const std::string& note : program->notes) output.message(one_line(file + ": " + note));
    if (program->graphs.empty()) {
        output.file_problem(file, file + ": the file holds no graph, only what Inductor's pass says of itself", ExitStatus::failed, json);
        return std::nullopt;
    }
    if (const auto typed = inputs.apply(*program); !typed) {
        output.file_problem(file, typed.error().message(), ExitStatus::bad_usage, json);
        return std::nullopt;
    }
    return std::move(*program);
}

} // namespace inspector
