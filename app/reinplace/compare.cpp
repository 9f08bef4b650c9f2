// reinplace compare: where policies decide differently, and why.

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "app/reinplace/commands.h"
#include "app/reinplace/compare_versions.h"
#include "app/reinplace/graph_choice.h"
#include "app/reinplace/open_program.h"
#include "app/reinplace/session_options.h"
#include "core/graph/count_text.h"
#include "core/graph/utf8.h"
#include "core/passes/reinplace/comparison.h"
#include "core/passes/reinplace/explain.h"

namespace inspector {
namespace {

using Json = nlohmann::ordered_json;

struct CompareOptions {
    std::vector<std::string> files;
    std::vector<std::string> policies{"torch-fx", "sound"};
    std::string graph;
    InputTypes inputs;
    bool json = false;
    bool fail_on_missed = false;
};

/// nullptr where sound is not among them.
const PolicyRun* sound_of(const std::vector<PolicyRun>& runs) {
    const auto sound = std::ranges::find(runs, "sound", &PolicyRun::policy);
    return sound != runs.end() ? &*sound : nullptr;
}

std::string sentence(const PolicyRun& run, NodeId node) {
    return plain_text(explain(*run.session, run.complete(node)));
}

Json json_object(const std::string& file, const std::string& graph_id, const std::vector<PolicyRun>& all) {
    Json differences = Json::array(), reinplaced = Json::object();
    const Graph& graph = all.front().session->original();
    const PolicyRun* sound = sound_of(all);
    for (const NodeId node : differing_nodes(all)) {
        Json by_policy = Json::object();
        for (const PolicyRun& run : all) {
            const Decision decision = run.complete(node);
            Json& said = by_policy[run.policy];
            said = {{"verdict", text_id(decision.verdict)}, {"check", text_id(decision.check)},
                    {"reason", decision.reason == Reason::none ? Json() : Json(text_id(decision.reason))},
                    {"sentence", sentence(run, node)}};
            const Judgement judgement = sound ? judge(decision, sound->on(node)) : Judgement::alike;
            if (judgement == Judgement::alike) continue;
            said["judgement"] = text_id(judgement);
            said["why"] = plain_text(explain_judgement(run, *sound, node));
        }
        const Decision& first = all.front().on(node);
        differences.push_back({{"index", first.index},
                               {"node", graph.node(node).name},
                               {"target", first.target},
                               {"policies", std::move(by_policy)}});
    }
    for (const PolicyRun& run : all) {
        const ReinplaceSummary summary = summarize(*run.session);
        reinplaced[run.policy] = {{"reinplaced", summary.reinplaced}, {"bytes_saved", summary.bytes_saved},
                                  {"peak_before", summary.peak_before}, {"peak_after", summary.peak_after}};
    }
    return {{"schema", 1},
            {"file", file},
            {"graph", graph_id},
            {"ok", true},
            {"differences", std::move(differences)},
            {"summary", std::move(reinplaced)}};
}

std::string text(const std::string& file, const std::string& graph_id, const std::vector<PolicyRun>& all) {
    std::string lines = one_line(file + ": " + graph_id) + "\n";
    const Graph& graph = all.front().session->original();
    const PolicyRun* sound = sound_of(all);
    const std::vector<NodeId> differing = differing_nodes(all);
    for (const NodeId node : differing) {
        lines += one_line("%" + graph.node(node).name + "  " + all.front().on(node).target) + "\n";
        for (const PolicyRun& run : all) lines += "    " + one_line(run.policy + ": " + sentence(run, node)) + "\n";
        for (const PolicyRun& run : all)
            if (const Sentence why = sound ? explain_judgement(run, *sound, node) : Sentence(); !why.empty())
                lines += "    " + one_line(plain_text(why)) + "\n";
    }
    for (const PolicyRun& run : all)
        lines += run.policy + ": " + std::to_string(summarize(*run.session).reinplaced) + " reinplaced\n";
    return lines + count_text(differing.size(), "decision differs", "decisions differ") + '\n';
}

Result<void> compare_file(const Program& program, const CompareOptions& options, Output& output) {
    const auto graphs = choose_graphs(program, options.graph);
    if (!graphs) return tl::unexpected(graphs.error());
    for (const std::size_t i : *graphs) {
        const auto runs = run_policies(program.graphs[i], options.policies);
        if (!runs) return tl::unexpected(runs.error());
        if (options.json)
            output.line(json_object(program.path, program.graphs[i].id, *runs).dump(-1, ' ', false, Json::error_handler_t::replace));
        else output.text(text(program.path, program.graphs[i].id, *runs));
        if (!output.flush()) break;
    }
    return {};
}

void compare_files(const CompareOptions& options, Output& output) {
    for (const std::string& file : options.files) {
        const auto program = open_program(file, options.graph, options.json, output, options.inputs);
        if (!program) continue;
        if (const auto done = compare_file(*program, options, output); !done)
            output.file_problem(file, done.error().message(), ExitStatus::bad_usage, options.json);
        if (!output.flush()) return;
    }
}

} // namespace

void add_compare_command(CLI::App& app, Output& output) {
    CLI::App* command = app.add_subcommand("compare", "Lists the nodes on which policies decide differently, with each one's reason");
    auto options = std::make_shared<CompareOptions>();
    command->add_option("FILE", options->files, "Files or folders of logs to read; - is standard input")->required();
    command->add_option("--policies", options->policies, "Policies to compare, separated by commas")
        ->delimiter(',')->expected(1, -1)->type_name("P,Q")->check(CLI::IsMember(policy_ids()));
    command->add_option("--graph", options->graph, "This graph only (see list)")->type_name("ID");
    options->inputs.add_to(*command);
    command->add_flag("--json", options->json, "One JSON object per graph and line");
    const CLI::Option* policies = command->get_option("--policies");
    command->add_flag("--fail-on-missed", options->fail_on_missed,
                      "Of two files, versions of one program: exit status 1 where the second reinplaces less (policy sound, unless "
                      "--policies names another)");
    command->callback([options, policies, &output] {
        const std::set<std::string> different(options->policies.begin(), options->policies.end());
        if (!options->fail_on_missed && different.size() < 2)
            return output.problem("--policies takes two different policies at least", ExitStatus::bad_usage);
        if (!options->fail_on_missed) return compare_files(*options, output);
        if (!options->inputs.given.empty())
            return output.problem("--fail-on-missed takes no --input", ExitStatus::bad_usage);
        if (options->files.size() != 2) return output.problem("--fail-on-missed takes two files, the older first", ExitStatus::bad_usage);
        if (policies->count() > 0 && options->policies.size() != 1)
            return output.problem("--fail-on-missed takes one policy", ExitStatus::bad_usage);
        compare_versions(options->files[0], options->files[1], policies->count() > 0 ? options->policies[0] : "sound", options->graph,
                         options->json, output);
    });
}

} // namespace inspector
