// reinplace decompose: the graph taken to Core ATen, in any format that can be written.

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "app/reinplace/commands.h"
#include "app/reinplace/kept_operators.h"
#include "app/reinplace/result_file.h"
#include "app/reinplace/unknown_operators.h"
#include "core/formats/decomposition/decomposition_json.h"
#include "core/formats/pt2/writer.h"
#include "core/graph/utf8.h"
#include "core/passes/decompose/decompose.h"
#include "core/passes/functionalize/functionalize.h"

namespace inspector {
namespace {

const std::vector<std::string> formats{"pt2", "python", "fx", "json", "dot", "svg"};

struct DecomposeOptions {
    std::string file;
    std::string graph;
    InputTypes inputs;
    std::string out;
    std::string format;
    std::vector<std::string> keep;
};

/// One line for each operator that stays though nobody asked for it.
void tell_left(const Decomposition& made, Output& output) {
    std::map<std::pair<std::string, std::string>, std::vector<std::string>> by_operator;
    for (const Decomposition::Left& left : made.left)
        if (left.call.reason != LeftCall::Reason::kept) by_operator[{left.call.target, left.call.words}].push_back(left.node);
    for (const auto& [what, nodes] : by_operator) {
        std::string names = "%" + nodes.front();
        if (nodes.size() > 1) names += " and " + std::to_string(nodes.size() - 1) + " more";
        output.message("left as it is: " + what.first + " (" + names + "): " + what.second);
    }
}

/// Error: the graph writes, and cannot be made functional first.
Result<Decomposition> take_apart(const Program& source, std::size_t index, const DecomposeOptions& options) {
    const bool copies = !source.graphs[index].signature;
    auto made = functional_form(source, index, {copies ? Epilogue::copies : Epilogue::outputs})
                    .and_then([&](const Program& functional) { return decompose(functional, index, {options.keep}); });
    if (!made) made.error().file = source.path;
    return made;
}

Result<void> write_result(const std::string& format, const Program& source, std::size_t index, const Decomposition& made,
                          const DecomposeOptions& options, Output& output) {
    if (format == "pt2") return write_pt2(source.archive->path, source, made.program, options.out);
    if (format == "json")
        return write_text(decomposition_json(source.path, source.graphs[index].id, *made.session) + '\n', options.out, output);
    auto text = graph_text(format, made.program, index, nullptr, output);
    if (!text) return tl::unexpected(std::move(text.error()));
    return write_text(std::move(*text), options.out, output);
}

void decompose_file(const DecomposeOptions& options, Output& output) {
    const auto refuse = [&](const Error& error, ExitStatus status) { output.problem(one_line(error.message()), status); };
    const auto format = result_format(options.format, options.out, options.file);
    if (!format) return refuse(format.error(), ExitStatus::bad_usage);
    if (std::ranges::find(formats, *format) == formats.end())
        return refuse({options.out, {}, "there is no " + *format + " of a decomposition"}, ExitStatus::bad_usage);
    const auto chosen = open_graph(options.file, options.graph, *format, options.inputs, output);
    if (!chosen) return;
    const auto& [program, index] = *chosen;
    if (const std::string unknown = unknown_operator(options.keep); !unknown.empty())
        return refuse({{}, {}, "--keep: no operator " + unknown + " is known" + meant_operators(unknown, program, index)},
                      ExitStatus::bad_usage);
    const auto made = take_apart(program, index, options);
    if (!made) return refuse(made.error(), ExitStatus::answered_no); // the file is fine
    tell_unknown_operators(program, index, output);
    tell_left(*made, output);
    for (const std::string& name : not_called(options.keep, made->program, index))
        output.message(one_line("--keep " + name + " keeps nothing: no " + name + " is called"));
    if (const auto written = write_result(*format, program, index, *made, options, output); !written)
        refuse(written.error(), ExitStatus::failed);
}

} // namespace

void add_decompose_command(CLI::App& app, Output& output) {
    CLI::App* command = app.add_subcommand("decompose", "Writes the graph taken apart into Core ATen operators");
    auto options = std::make_shared<DecomposeOptions>();
    command->add_option("FILE", options->file, "File to read; - is standard input")->required();
    command->add_option("-o,--output", options->out, "File to write; - is standard output")->type_name("OUT")->required();
    command->add_option("--format", options->format, "What to write; without it the ending of OUT says. json: the steps")
        ->check(CLI::IsMember(formats));
    command->add_option("--graph", options->graph, "This graph instead of the root (see list)")->type_name("ID");
    command->add_option("--keep", options->keep,
                        "An operator that stays as it is: aten.layer_norm.default, or aten.layer_norm for every overload; may be repeated")
        ->type_name("OP")->expected(1)->take_all()
        ->check([](const std::string& name) { return name.empty() ? "an operator's name is expected" : ""; });
    options->inputs.add_to(*command);
    command->callback([options, &output] { decompose_file(*options, output); });
}

} // namespace inspector
