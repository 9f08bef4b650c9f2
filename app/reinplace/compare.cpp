// reinplace compare: where policies decide differently, and why.

#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "app/reinplace/commands.h"
#include "app/reinplace/graph_choice.h"
#include "core/formats/reader.h"
#include "core/passes/reinplace/explain.h"

namespace inspector {
namespace {

using Json = nlohmann::ordered_json;

struct CompareOptions {
    std::vector<std::string> files;
    std::vector<std::string> policies{"torch-fx", "sound"};
    std::string graph;
    bool json = false;
};

/// What one policy made of a graph.
struct Decided {
    std::string policy;
    std::unique_ptr<ReinplaceSession> session;
};

bool changes(const Decision& decision) {
    return decision.verdict == Verdict::reinplaced || decision.verdict == Verdict::scatter_to_copy || decision.verdict == Verdict::deleted;
}

bool differ(const std::vector<Decided>& all, std::uint32_t index) {
    const Verdict first = all.front().session->decisions()[index].verdict;
    for (const Decided& decided : all) {
        const Verdict verdict = decided.session->decisions()[index].verdict;
        // "kept" and "raises" leave the node alone alike.
        if (verdict != first && (changes(decided.session->decisions()[index]) || changes(all.front().session->decisions()[index]))) return true;
    }
    return false;
}

std::string sentence(const Decided& decided, std::uint32_t index) {
    return plain_text(explain(*decided.session, decided.session->complete(index)));
}

Json json_object(const std::string& file, const std::string& graph, const std::vector<Decided>& all) {
    Json differences = Json::array(), reinplaced = Json::object();
    const ReinplaceSession& first = *all.front().session;
    for (std::uint32_t i = 0; i < first.decisions().size(); ++i) {
        if (!differ(all, i)) continue;
        Json by_policy = Json::object();
        for (const Decided& decided : all) {
            const Decision decision = decided.session->complete(i);
            by_policy[decided.policy] = {{"verdict", text_id(decision.verdict)}, {"check", text_id(decision.check)},
                                         {"reason", decision.reason == Reason::none ? Json() : Json(text_id(decision.reason))},
                                         {"sentence", sentence(decided, i)}};
        }
        differences.push_back({{"index", i}, {"node", first.original().node(first.decisions()[i].node).name},
                               {"target", first.decisions()[i].target}, {"policies", std::move(by_policy)}});
    }
    for (const Decided& decided : all) {
        const ReinplaceSummary summary = summarize(*decided.session);
        reinplaced[decided.policy] = {{"reinplaced", summary.reinplaced}, {"bytes_saved", summary.bytes_saved},
                                      {"peak_before", summary.peak_before}, {"peak_after", summary.peak_after}};
    }
    return {{"schema", 1}, {"file", file}, {"graph", graph}, {"ok", true}, {"differences", std::move(differences)}, {"summary", std::move(reinplaced)}};
}

std::string text(const std::string& file, const std::string& graph, const std::vector<Decided>& all) {
    std::string lines = file + ": " + graph + "\n";
    const ReinplaceSession& first = *all.front().session;
    std::size_t count = 0;
    for (std::uint32_t i = 0; i < first.decisions().size(); ++i) {
        if (!differ(all, i)) continue;
        ++count;
        lines += "%" + first.original().node(first.decisions()[i].node).name + "  " + first.decisions()[i].target + "\n";
        for (const Decided& decided : all) lines += "    " + decided.policy + ": " + sentence(decided, i) + "\n";
    }
    for (const Decided& decided : all)
        lines += decided.policy + ": " + std::to_string(summarize(*decided.session).reinplaced) + " reinplaced\n";
    return lines + std::to_string(count) + (count == 1 ? " decision differs\n" : " decisions differ\n");
}

Result<void> compare_file(const Program& program, const CompareOptions& options, Output& output) {
    const auto graphs = choose_graphs(program, options.graph);
    if (!graphs) return tl::unexpected(graphs.error());
    for (const std::size_t i : *graphs) {
        std::vector<Decided> all;
        for (const std::string& policy : options.policies) {
            auto session = ReinplaceSession::start(program.graphs[i], {.policy = policy, .first = {}, .choices = {}, .donated = {}});
            if (!session) return tl::unexpected(session.error());
            (*session)->run_to_end();
            all.push_back({policy, std::move(*session)});
        }
        if (options.json)
            output.line(json_object(program.path, program.graphs[i].id, all).dump(-1, ' ', false, Json::error_handler_t::replace));
        else output.text(text(program.path, program.graphs[i].id, all));
        if (!output.flush()) break;
    }
    return {};
}

void compare_files(const CompareOptions& options, Output& output) {
    for (const std::string& file : options.files) {
        const auto program = read_program(file);
        if (!program) {
            output.file_problem(file, program.error().message(), ExitStatus::failed, options.json);
            continue;
        }
        if (const auto done = compare_file(*program, options, output); !done)
            output.file_problem(file, done.error().message(), ExitStatus::bad_usage, options.json);
        if (!output.flush()) return;
    }
}

} // namespace

void add_compare_command(CLI::App& app, Output& output) {
    CLI::App* command = app.add_subcommand("compare", "Lists the nodes on which policies decide differently, with each one's reason");
    auto options = std::make_shared<CompareOptions>();
    command->add_option("FILE", options->files, "Files to read; - is standard input")->required();
    command->add_option("--policies", options->policies, "Policies to compare, separated by commas")->delimiter(',')->expected(1, -1)->type_name("P,Q");
    command->add_option("--graph", options->graph, "This graph only (see list)")->type_name("ID");
    command->add_flag("--json", options->json, "One JSON object per graph and line");
    command->callback([options, &output] { compare_files(*options, output); });
}

} // namespace inspector
