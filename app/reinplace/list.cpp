// reinplace list: the graphs in each file.

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "app/reinplace/commands.h"
#include "app/reinplace/inductor_text.h"
#include "core/analysis/level.h"
#include "core/formats/decisions/inductor_json.h"
#include "core/formats/reader.h"
#include "core/graph/count_text.h"
#include "core/graph/utf8.h"

namespace inspector {
namespace {

struct ListOptions {
    std::vector<std::string> files;
    bool json = false;
};

std::size_t count_operations(const Graph& graph) {
    return static_cast<std::size_t>(std::count_if(graph.begin(), graph.end(), [&](NodeId id) {
        const Opcode opcode = graph.node(id).opcode;
        return opcode != Opcode::placeholder && opcode != Opcode::get_attr && opcode != Opcode::output;
    }));
}

void list_as_json(const Program& program, std::size_t index, Level level, Output& output) {
    const ProgramGraph& graph = program.graphs[index];
    using Json = nlohmann::ordered_json;
    Json object = {{"schema", 1},
                   {"file", program.path},
                   {"graph", graph.id},
                   {"kind", graph.kind},
                   {"compile_id", graph.compile_id.empty() ? Json() : Json(graph.compile_id)},
                   {"level", level_name(level)},
                   {"placeholders", graph.graph.placeholders().size()},
                   {"nodes", graph.graph.size()},
                   {"ok", true}};
    if (const InductorLog inductor = program.inductor.of_compile(graph.compile_id); !inductor.empty())
        object["inductor"] = inductor_object(inductor);
    output.line(object.dump(-1, ' ', false, Json::error_handler_t::replace));
}

void list_as_text(const Program& program, const std::vector<Level>& levels, Output& output) {
    std::string head = program.path + "  (" + program.format;
    if (!program.torch_version.empty()) head += ", torch " + program.torch_version;
    output.line(one_line(head + ')'));

    std::size_t widest = 0;
    for (const ProgramGraph& graph : program.graphs) widest = std::max(widest, graph.id.size());
    for (std::size_t i = 0; i < program.graphs.size(); ++i) {
        const ProgramGraph& graph = program.graphs[i];
        std::string line = "  " + graph.id + std::string(widest - graph.id.size() + 2, ' ');
        const std::string level(level_name(levels[i]));
        line += level + std::string(17 - level.size(), ' ');
        line += count_text(graph.graph.placeholders().size(), "input") + ", ";
        line += count_text(count_operations(graph.graph), "op") + ", ";
        line += count_text(graph.graph.size(), "node");
        line += "  (" + graph.kind + (graph.compile_id.empty() ? "" : ", compile id " + graph.compile_id) + ')';
        output.line(one_line(line));
    }
    output.text(inductor_text(program.inductor));
}

void list(const ListOptions& options, Output& output) {
    for (const std::string& file : options.files) {
        const auto program = read_program(file);
        if (!program) {
            output.file_problem(file, program.error().message(), ExitStatus::failed, options.json);
            continue;
        }
        for (const std::string& note : program->notes) output.message(one_line(file + ": " + note));
        const std::vector<Level> levels = find_levels(*program);
        if (options.json)
            for (std::size_t i = 0; i < program->graphs.size(); ++i) list_as_json(*program, i, levels[i], output);
        else list_as_text(*program, levels, output);
        if (!output.flush()) return;
    }
}

} // namespace

void add_list_command(CLI::App& app, Output& output) {
    CLI::App* command = app.add_subcommand("list", "Lists the graphs in each file, with op counts and what kind of IR they are");
    auto options = std::make_shared<ListOptions>();
    command->add_option("FILE", options->files, "Files or folders of logs to read; - is standard input")->required();
    command->add_flag("--json", options->json, "One JSON object per graph and line");
    command->callback([options, &output] { list(*options, output); });
}

} // namespace inspector
