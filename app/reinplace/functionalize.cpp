// reinplace functionalize: the graph with every mutation out of place, in any format that can be written.

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "app/reinplace/commands.h"
#include "app/reinplace/result_file.h"
#include "app/reinplace/unknown_operators.h"
#include "core/formats/functionalization/steps_json.h"
#include "core/formats/pt2/writer.h"
#include "core/graph/utf8.h"
#include "core/passes/functionalize/functionalize.h"

namespace inspector {
namespace {

const std::vector<std::string> formats{"pt2", "python", "fx", "json", "dot", "svg"};

struct FunctionalizeOptions {
    std::string file;
    std::string graph;
    InputTypes inputs;
    std::string out;
    std::string format;
    std::string epilogue; ///< empty: outputs where a signature says of what, else copies
};

FunctionalizeSession::Options session_options(const FunctionalizeOptions& options, const ProgramGraph& graph) {
    const bool copies = options.epilogue.empty() ? !graph.signature : options.epilogue == "copies";
    return {copies ? Epilogue::copies : Epilogue::outputs};
}

Result<void> write_result(const std::string& format, const Program& program, std::size_t index, const Program& functional,
                          const FunctionalizeOptions& options, Output& output) {
    if (format == "pt2") return write_pt2(program.archive->path, program, functional, options.out);
    if (format == "json") {
        const auto session = FunctionalizeSession::start(program, index, session_options(options, program.graphs[index]));
        session->run_to_end();
        return write_text(functionalization_json(program.path, program.graphs[index].id, *session) + '\n', options.out, output);
    }
    auto text = graph_text(format, functional, index, nullptr, output);
    if (!text) return tl::unexpected(std::move(text.error()));
    return write_text(std::move(*text), options.out, output);
}

void functionalize_file(const FunctionalizeOptions& options, Output& output) {
    const auto refuse = [&](const Error& error, ExitStatus status) { output.problem(one_line(error.message()), status); };
    const auto format = result_format(options.format, options.out, options.file);
    if (!format) return refuse(format.error(), ExitStatus::bad_usage);
    if (std::ranges::find(formats, *format) == formats.end())
        return refuse({options.out, {}, "there is no " + *format + " of a functionalization"}, ExitStatus::bad_usage);
    const auto chosen = open_graph(options.file, options.graph, *format, options.inputs, output);
    if (!chosen) return;
    const auto& [program, index] = *chosen;
    auto functional = functionalize(program, index, session_options(options, program.graphs[index]));
    if (!functional) {
        functional.error().file = program.path;
        return refuse(functional.error(), ExitStatus::answered_no); // the file is fine
    }
    tell_unknown_operators(program, index, output);
    if (const auto written = write_result(*format, program, index, *functional, options, output); !written)
        refuse(written.error(), ExitStatus::failed);
}

} // namespace

void add_functionalize_command(CLI::App& app, Output& output) {
    CLI::App* command = app.add_subcommand("functionalize", "Writes the graph with every mutation out of place");
    auto options = std::make_shared<FunctionalizeOptions>();
    command->add_option("FILE", options->file, "File to read; - is standard input")->required();
    command->add_option("-o,--output", options->out, "File to write; - is standard output")->type_name("OUT")->required();
    command->add_option("--format", options->format, "What to write; without it the ending of OUT says. json: the steps")
        ->check(CLI::IsMember(formats));
    command->add_option("--graph", options->graph, "This graph instead of the root (see list)")->type_name("ID");
    command->add_option("--epilogue", options->epilogue,
                        "What becomes of inputs and buffers that are written: outputs of the graph, or copies into them at its "
                        "end; without it outputs where the file has a signature, else copies")
        ->check(CLI::IsMember({"copies", "outputs"}));
    options->inputs.add_to(*command);
    command->callback([options, &output] { functionalize_file(*options, output); });
}

} // namespace inspector
