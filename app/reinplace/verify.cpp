// reinplace verify: proof by running that the rewritten graph does what the graph did.

#include <charconv>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "app/reinplace/commands.h"
#include "app/reinplace/graph_choice.h"
#include "app/reinplace/open_program.h"
#include "app/reinplace/session_options.h"
#include "core/execution/verification.h"
#include "core/graph/utf8.h"

namespace inspector {
namespace {

using Json = nlohmann::ordered_json;

struct VerifyOptions {
    std::vector<std::string> files;
    std::string graph;
    SessionOptions session;
    InputTypes inputs;
    std::uint64_t seed = 0;
    bool json = false;
};

/// CLI11 would wrap a negative number around and cut one that is too large. Empty: `text` is a seed.
std::string seed_form(const std::string& text) {
    std::uint64_t seed = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), seed);
    const bool is_seed = problem == std::errc{} && end == text.data() + text.size();
    return is_seed ? "" : one_line(text) + " is no number from 0 to 18446744073709551615";
}

std::string answer_words(Verification::Answer answer) {
    return answer == Verification::Answer::error ? "cannot run" : std::string(text_id(answer));
}

/// {"file", "graph", "policy", "result": "equal" | "different" | "error", "detail", …}
std::string json_line(const std::string& file, const std::string& graph, const std::string& policy, const Verification& verification,
                      const Graph& nodes) {
    const auto bytes = [](const std::optional<std::int64_t>& measured) { return measured ? Json(*measured) : Json(); };
    const Json object = {{"schema", 1},
                         {"file", file},
                         {"graph", graph},
                         {"policy", policy},
                         {"ok", true},
                         {"result", text_id(verification.answer)},
                         {"detail", verification.detail},
                         {"difference", verification.difference ? Json(text_id(verification.difference->kind)) : Json()},
                         {"decision", verification.decision ? Json(*verification.decision) : Json()},
                         {"node", verification.node != no_node ? Json(nodes.node(verification.node).name) : Json()},
                         {"measured_peak_before", bytes(verification.peak_before)},
                         {"measured_peak_after", bytes(verification.peak_after)},
                         {"notes", verification.notes}};
    return object.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// Error: of usage, an option that does not fit the file.
Result<void> verify_file(const Program& program, const VerifyOptions& options, Output& output) {
    const auto graphs = choose_graphs(program, options.graph);
    if (!graphs) return tl::unexpected(graphs.error());
    if (auto fits = options.session.check_against(program, *graphs); !fits) return fits;
    RunOptions run;
    run.seed = options.seed;
    for (const std::size_t i : *graphs) {
        const ProgramGraph& graph = program.graphs[i];
        const auto choices = options.session.applied_to(program, i);
        if (!choices) return tl::unexpected(choices.error());
        if (!options.session.force.empty()) {
            const auto session = options.session.start(program, i);
            if (!session) return tl::unexpected(session.error());
            (*session)->run_to_end();
            options.session.tell_forced_in_vain(**session, output);
        }
        const Verification verification = verify_rewrite(program, i, *choices, run);
        if (options.json) output.line(json_line(program.path, graph.id, choices->policy, verification, graph.graph));
        else
            output.line(one_line(program.path + ": " + graph.id + ": " + answer_words(verification.answer) + ": " +
                                 verification.detail));
        if (verification.answer == Verification::Answer::error) options.inputs.tell_lacking(program, i, output);
        if (verification.answer != Verification::Answer::equal) output.answer_no();
        if (!output.flush()) break;
    }
    return {};
}

void verify_files(const VerifyOptions& options, Output& output) {
    for (const std::string& file : options.files) {
        const auto program = open_program(file, options.graph, options.json, output, options.inputs);
        if (!program) continue;
        if (const auto done = verify_file(*program, options, output); !done)
            output.file_problem(file, done.error().message(), ExitStatus::bad_usage, options.json);
        if (!output.flush()) return;
    }
}

} // namespace

void add_verify_command(CLI::App& app, Output& output) {
    CLI::App* command = app.add_subcommand("verify", "Runs each graph before and after the rewrite and compares all a caller can see");
    auto options = std::make_shared<VerifyOptions>();
    command->add_option("FILE", options->files, "Files or folders of logs to read; - is standard input")->required();
    command->add_option("--graph", options->graph, "This graph only (see list)")->type_name("ID");
    command->add_option("--seed", options->seed, "Of made-up inputs and random ops")->type_name("N")->check(seed_form);
    command->add_flag("--json", options->json, "One JSON object per graph and line");
    options->session.add_to(*command);
    options->inputs.add_to(*command);
    command->callback([options, &output] { verify_files(*options, output); });
}

} // namespace inspector
