// reinplace explain: what the pass decides on each graph, and why.

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "app/reinplace/commands.h"
#include "app/reinplace/decision_text.h"
#include "app/reinplace/graph_choice.h"
#include "app/reinplace/inductor_text.h"
#include "app/reinplace/open_program.h"
#include "app/reinplace/session_options.h"
#include "core/formats/decisions/decisions_json.h"
#include "core/formats/reproduction/reproduction.h"
#include "core/graph/utf8.h"
#include "core/passes/reinplace/saved_session.h"

namespace inspector {
namespace {

struct ExplainOptions {
    std::vector<std::string> files;
    std::string graph;
    std::string node;
    SessionOptions session;
    InputTypes inputs;
    bool minimal = false;
    bool json = false;
    bool timing = false;
};

using Failure = std::optional<Error>; ///< of usage: an option that does not fit the file

Failure explain_graph(const Program& program, std::size_t index, const ExplainOptions& options, Output& output) {
    const std::string& file = program.path;
    const ProgramGraph& graph = program.graphs[index];
    auto session = options.session.start(program, index);
    if (!session) return session.error();
    const auto start = std::chrono::steady_clock::now();
    (*session)->run_to_end();
    const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - start;
    const auto pass_ms = options.timing ? std::optional(elapsed.count()) : std::nullopt;

    options.session.tell_forced_in_vain(**session, output);
    if (options.session.follows_document(program, index))
        if (const std::string changed = changed_decisions(**session, *saved_on(program, index)); !changed.empty())
            output.message(one_line(file + ": " + changed));
    if (options.minimal) {
        const auto& nodes = (*session)->decision_nodes();
        const auto number = std::ranges::find(nodes, graph.graph.find(options.node)) - nodes.begin();
        if (number == std::ssize(nodes)) return Error{file, {}, "no decision is made on " + options.node};
        const auto made = reproduce(program, index, **session, static_cast<std::uint32_t>(number));
        if (!made) output.problem(one_line(made.error().message()), ExitStatus::answered_no);
        else output.text(made->text);
        return std::nullopt;
    }
    const InductorLog inductor = program.inductor.of_compile(graph.compile_id);
    const NodeId node = options.node.empty() ? no_node : graph.graph.find(options.node);
    if (options.json) {
        write_decisions_json(file, graph.id, **session,
                             {.only = node, .source = &graph, .pass_ms = pass_ms, .inductor = inductor},
                             [&](std::string_view piece) { return output.text(piece); });
        output.text("\n");
    } else if (node != no_node) {
        output.text(node_text(file, graph, **session, node));
        output.text(inductor_text(inductor, options.node));
    } else {
        output.text(decisions_text(file, graph.id, **session, pass_ms));
        options.inputs.tell_lacking(program, index, output);
        output.text(inductor_text(inductor));
    }
    return std::nullopt;
}

Failure explain_file(const Program& program, const ExplainOptions& options, Output& output) {
    auto graphs = choose_graphs(program, options.graph);
    if (!graphs) return graphs.error();
    if (!options.node.empty()) {
        std::erase_if(*graphs, [&](std::size_t i) { return program.graphs[i].graph.find(options.node) == no_node; });
        if (graphs->empty()) return Error{program.path, {}, "there is no node " + options.node};
    }
    if (const auto fits = options.session.check_against(program, *graphs); !fits) return fits.error();
    for (const std::size_t i : *graphs) {
        if (Failure failure = explain_graph(program, i, options, output)) return failure;
        if (!output.flush()) break;
    }
    return std::nullopt;
}

void explain_files(ExplainOptions options, Output& output) {
    if (options.node.starts_with('%')) options.node.erase(0, 1); // as the graph is printed
    for (const std::string& file : options.files) {
        const auto program = open_program(file, options.graph, options.json, output, options.inputs);
        if (!program) continue;
        if (const Failure failure = explain_file(*program, options, output))
            output.file_problem(file, failure->message(), ExitStatus::bad_usage, options.json);
        if (!output.flush()) return;
    }
}

} // namespace

void add_explain_command(CLI::App& app, Output& output) {
    CLI::App* command = app.add_subcommand("explain", "Says of every op whether it is reinplaced, and why");
    auto options = std::make_shared<ExplainOptions>();
    command->add_option("FILE", options->files, "Files or folders of logs to read; - is standard input")->required();
    command->add_option("--graph", options->graph, "This graph only (see list)")->type_name("ID");
    command->add_option("--node", options->node, "This node only, with the evidence of every check, and changes that would help")->type_name("NAME")
        ->check([](const std::string& name) { return name.empty() ? "a node's name is expected" : ""; });
    command->add_flag("--minimal", options->minimal,
                      "Instead, a small Python module in which the node given with --node is decided the same way")
        ->excludes(command->add_flag("--json", options->json, "One JSON object per graph and line"))
        ->needs("--node");
    command->add_flag("--timing", options->timing, "Adds how long the pass took");
    options->session.add_to(*command);
    options->inputs.add_to(*command);
    command->callback([options, &output] { explain_files(*options, output); });
}

} // namespace inspector
