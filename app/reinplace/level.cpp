// reinplace level: which IR each graph is in, why, and what its operators are.

#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "app/reinplace/commands.h"
#include "app/reinplace/graph_choice.h"
#include "app/reinplace/level_text.h"
#include "app/reinplace/open_program.h"
#include "core/formats/level/level_json.h"
#include "core/graph/nesting.h"

namespace inspector {
namespace {

struct LevelOptions {
    std::vector<std::string> files;
    std::string graph;
    bool json = false;
};

void levels(const LevelOptions& options, Output& output) {
    for (const std::string& file : options.files) {
        const auto program = open_program(file, options.graph, options.json, output);
        if (!program) continue;
        const auto graphs = choose_graphs(*program, options.graph);
        if (!graphs) {
            output.file_problem(file, graphs.error().message(), ExitStatus::bad_usage, options.json);
            continue;
        }
        const Nesting nesting(*program);
        for (const std::size_t graph : *graphs) {
            if (options.json) output.line(level_json(*program, graph, nesting));
            else output.text(level_text(*program, graph, nesting));
        }
        if (!output.flush()) return;
    }
}

} // namespace

void add_level_command(CLI::App& app, Output& output) {
    CLI::App* command =
        app.add_subcommand("level", "Says which IR each graph is in, and what stands against the higher ones");
    auto options = std::make_shared<LevelOptions>();
    command->add_option("FILE", options->files, "Files or folders of logs to read; - is standard input")->required();
    command->add_option("--graph", options->graph, "This graph only (see list)")->type_name("ID");
    command->add_flag("--json", options->json, "One JSON object per graph and line");
    command->callback([options, &output] { levels(*options, output); });
}

} // namespace inspector
