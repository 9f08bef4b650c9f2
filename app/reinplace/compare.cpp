// reinplace compare: where policies decide differently, and why.

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "app/reinplace/commands.h"
#include "app/reinplace/graph_choice.h"
#include "app/reinplace/open_program.h"
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
    std::vector<std::uint32_t> number_on; ///< of the decision, by node index

    [[nodiscard]] const Decision& on(NodeId node) const { return session->decisions()[number_on[index_of(node)]]; }
    [[nodiscard]] Decision complete(NodeId node) const { return session->complete(number_on[index_of(node)]); }
};

Decided decide(const std::string& policy, std::unique_ptr<ReinplaceSession> session) {
    session->run_to_end();
    Decided decided{policy, std::move(session), {}};
    decided.number_on.resize(decided.session->original().id_limit());
    for (const Decision& decision : decided.session->decisions())
        decided.number_on[index_of(decision.node)] = decision.index;
    return decided;
}

/// Nodes that are decided on, in graph order, whatever order the policies take.
std::vector<NodeId> decided_nodes(const Graph& graph) {
    std::vector<NodeId> nodes;
    for (const NodeId id : graph)
        if (graph.node(id).opcode == Opcode::call_function) nodes.push_back(id);
    return nodes;
}

bool changes(const Decision& decision) {
    return decision.verdict == Verdict::reinplaced || decision.verdict == Verdict::scatter_to_copy || decision.verdict == Verdict::deleted;
}

bool differ(const std::vector<Decided>& all, NodeId node) {
    const Decision& first = all.front().on(node);
    return std::ranges::any_of(all, [&](const Decided& decided) {
        const Decision& other = decided.on(node);
        // "kept" and "raises" leave the node alone alike.
        return other.verdict != first.verdict && (changes(other) || changes(first));
    });
}

std::string sentence(const Decided& decided, NodeId node) {
    return plain_text(explain(*decided.session, decided.complete(node)));
}

Json json_object(const std::string& file, const std::string& graph_id, const std::vector<Decided>& all) {
    Json differences = Json::array(), reinplaced = Json::object();
    const Graph& graph = all.front().session->original();
    for (const NodeId node : decided_nodes(graph)) {
        if (!differ(all, node)) continue;
        Json by_policy = Json::object();
        for (const Decided& decided : all) {
            const Decision decision = decided.complete(node);
            by_policy[decided.policy] = {{"verdict", text_id(decision.verdict)}, {"check", text_id(decision.check)},
                                         {"reason", decision.reason == Reason::none ? Json() : Json(text_id(decision.reason))},
                                         {"sentence", sentence(decided, node)}};
        }
        const Decision& first = all.front().on(node);
        differences.push_back({{"index", first.index},
                               {"node", graph.node(node).name},
                               {"target", first.target},
                               {"policies", std::move(by_policy)}});
    }
    for (const Decided& decided : all) {
        const ReinplaceSummary summary = summarize(*decided.session);
        reinplaced[decided.policy] = {{"reinplaced", summary.reinplaced}, {"bytes_saved", summary.bytes_saved},
                                      {"peak_before", summary.peak_before}, {"peak_after", summary.peak_after}};
    }
    return {{"schema", 1},
            {"file", file},
            {"graph", graph_id},
            {"ok", true},
            {"differences", std::move(differences)},
            {"summary", std::move(reinplaced)}};
}

std::string text(const std::string& file, const std::string& graph_id, const std::vector<Decided>& all) {
    std::string lines = file + ": " + graph_id + "\n";
    const Graph& graph = all.front().session->original();
    std::size_t count = 0;
    for (const NodeId node : decided_nodes(graph)) {
        if (!differ(all, node)) continue;
        ++count;
        lines += "%" + graph.node(node).name + "  " + all.front().on(node).target + "\n";
        for (const Decided& decided : all) lines += "    " + decided.policy + ": " + sentence(decided, node) + "\n";
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
            all.push_back(decide(policy, std::move(*session)));
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
        const auto program = open_program(file, options.graph, options.json, output);
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
    command->add_option("--policies", options->policies, "Policies to compare, separated by commas")->delimiter(',')->expected(1, -1)->type_name("P,Q");
    command->add_option("--graph", options->graph, "This graph only (see list)")->type_name("ID");
    command->add_flag("--json", options->json, "One JSON object per graph and line");
    command->callback([options, &output] { compare_files(*options, output); });
}

} // namespace inspector
