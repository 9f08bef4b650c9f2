#include "app/reinplace/session_options.h"

#include <algorithm>
#include <utility>

#include <CLI/CLI.hpp>

#include "core/graph/utf8.h"
#include "core/passes/reinplace/explain.h"
#include "core/passes/reinplace/saved_session.h"

namespace inspector {
namespace {

std::string default_policy() {
    const std::vector<std::string> ids = policy_ids();
    return std::find(ids.begin(), ids.end(), "sound") != ids.end() ? "sound" : "torch-fx";
}

std::size_t count_decisions(const Graph& graph) {
    return static_cast<std::size_t>(std::count_if(graph.begin(), graph.end(), [&](NodeId id) {
        return graph.node(id).opcode == Opcode::call_function;
    }));
}

bool is_placeholder(const Graph& graph, const std::string& name) {
    const NodeId id = graph.find(name);
    return id != no_node && graph.node(id).opcode == Opcode::placeholder;
}

} // namespace

std::vector<std::string> policy_ids() {
    std::vector<std::string> ids;
    for (const PolicyInfo& policy : policies()) ids.push_back(policy.id);
    return ids;
}

SessionOptions::SessionOptions() : policy(default_policy()) {}

void SessionOptions::add_to(CLI::App& command, const std::vector<std::string>& also) {
    std::vector<std::string> known = policy_ids();
    known.insert(known.end(), also.begin(), also.end());
    const auto repeatable = [](CLI::Option* option) {
        option->type_size(1)->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)->delimiter(',');
    };
    policy_option_ = command.add_option("--policy", policy, "Rules to decide by; a session document's own are its session's")
                         ->check(CLI::IsMember(known))
                         ->capture_default_str();
    command.add_option("--first", first, "Follow the policy for the first N decisions only")->type_name("N");
    repeatable(command.add_option("--skip", skip, "Keep the node of decision N (repeatable)")->type_name("N"));
    repeatable(command.add_option("--force", force, "Rewrite the node of decision N (repeatable)")->type_name("N"));
    repeatable(command.add_option("--donate", donate, "Input the caller gives up (repeatable)")->type_name("NAME"));
    command.parse_complete_callback([this] {
        for (const std::uint32_t number : skip)
            if (std::ranges::find(force, number) != force.end())
                throw CLI::ValidationError("--force", "decision " + std::to_string(number) + " cannot be both skipped and forced");
    });
}

std::string SessionOptions::given_choice() const {
    if (first) return "--first";
    if (!skip.empty()) return "--skip";
    if (!force.empty()) return "--force";
    return donate.empty() ? "" : "--donate";
}

Result<void> SessionOptions::check_against(const Program& program, const std::vector<std::size_t>& graphs) const {
    const auto failure = [&](std::string reason) {
        return tl::unexpected<Error>(Error{program.path, {}, std::move(reason)});
    };
    std::size_t decisions = 0;
    for (const std::size_t graph : graphs) decisions = std::max(decisions, count_decisions(program.graphs[graph].graph));
    for (const auto* numbers : {&skip, &force})
        for (const std::uint32_t number : *numbers)
            if (number >= decisions)
                return failure("there is no decision " + std::to_string(number) + "; there are " + std::to_string(decisions) +
                               ", counted from 0");
    for (const std::string& name : donate)
        if (std::none_of(graphs.begin(), graphs.end(),
                         [&](std::size_t graph) { return is_placeholder(program.graphs[graph].graph, name); }))
            return failure("there is no input " + name + " to donate");
    return {};
}

bool SessionOptions::has_document(const Program& program, std::size_t index) const {
    const bool is_policy_given = policy_option_ && policy_option_->count() > 0;
    return saved_on(program, index) && !is_policy_given;
}

bool SessionOptions::follows_document(const Program& program, std::size_t index) const {
    return has_document(program, index) && given_choice().empty();
}

Result<ReinplaceSession::Options> SessionOptions::applied_to(const Program& program, std::size_t index) const {
    const ProgramGraph& graph = program.graphs[index];
    ReinplaceSession::Options options;
    options.policy = policy;
    if (has_document(program, index)) {
        auto saved = saved_options(graph, *saved_on(program, index));
        if (!saved) {
            Error error = saved.error();
            error.file = program.path;
            return tl::unexpected(std::move(error));
        }
        options = std::move(*saved);
    }
    if (first) options.first = first;
    for (const std::uint32_t number : skip) options.choices[number] = Choice::skip;
    for (const std::uint32_t number : force) options.choices[number] = Choice::force;
    for (const std::string& name : donate)
        if (is_placeholder(graph.graph, name)) options.donated.push_back(name);
    return options;
}

Result<std::unique_ptr<ReinplaceSession>> SessionOptions::start(const Program& program, std::size_t index) const {
    auto options = applied_to(program, index);
    if (!options) return tl::unexpected(options.error());
    return ReinplaceSession::start(program.graphs[index], std::move(*options));
}

void SessionOptions::tell_forced_in_vain(const ReinplaceSession& session, Output& output) const {
    for (const Decision& decision : session.decisions())
        if (!is_rewritten(decision) && std::ranges::find(force, decision.index) != force.end())
            output.message(one_line("--force " + std::to_string(decision.index) + " does nothing to %" +
                                    session.original().node(decision.node).name + "; " +
                                    plain_text(explain(session, decision))));
}

} // namespace inspector
