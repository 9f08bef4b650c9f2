#include "app/reinplace/compare_versions.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include <nlohmann/json.hpp>

#include "app/reinplace/graph_choice.h"
#include "app/reinplace/open_program.h"
#include "core/graph/byte_text.h"
#include "core/graph/utf8.h"
#include "core/passes/reinplace/explain.h"
#include "core/passes/reinplace/session.h"

namespace inspector {
namespace {

using Json = nlohmann::ordered_json;

struct Version {
    std::unique_ptr<ReinplaceSession> session;
    ReinplaceSummary summary;
    std::map<std::string, const Decision*> by_name;

    [[nodiscard]] bool reinplaces(const std::string& node) const {
        const auto decision = by_name.find(node);
        return decision != by_name.end() && is_rewritten(*decision->second);
    }
    /// What became of a node: a sentence.
    [[nodiscard]] std::string fate(const std::string& node) const {
        const auto decision = by_name.find(node);
        if (decision == by_name.end()) return "is not in the graph";
        return plain_text(explain(*session, session->complete(decision->second->index)));
    }
};

Result<Version> run(const ProgramGraph& source, const std::string& policy) {
    auto session = ReinplaceSession::start(source, {.policy = policy, .first = {}, .choices = {}, .donated = {}});
    if (!session) return tl::unexpected(session.error());
    Version version{std::move(*session), {}, {}};
    version.session->run_to_end();
    version.summary = summarize(*version.session);
    for (const Decision& decision : version.session->decisions())
        version.by_name[version.session->original().node(decision.node).name] = &decision;
    return version;
}

/// Names of nodes that `a` rewrites and `b` does not, in a's graph order.
std::vector<std::string> only_in(const Version& a, const Version& b) {
    std::vector<std::string> names;
    for (const NodeId id : a.session->original()) {
        const std::string& name = a.session->original().node(id).name;
        if (a.reinplaces(name) && !b.reinplaces(name)) names.push_back(name);
    }
    return names;
}

const ProgramGraph* find_graph(const Program& program, const std::string& id) {
    const auto found = std::ranges::find(program.graphs, id, &ProgramGraph::id);
    return found != program.graphs.end() ? &*found : nullptr;
}

Json totals(const Version& version) {
    return {{"reinplaced", version.summary.reinplaced}, {"bytes_saved", version.summary.bytes_saved}};
}

Json listed(const std::vector<std::string>& names, const Version& version) {
    Json list = Json::array();
    for (const std::string& name : names) list.push_back({{"node", name}, {"sentence", version.fate(name)}});
    return list;
}

void tell(const Program& before, const Program& after, const std::string& id, const Version& then, const Version& now, bool json,
          Output& output) {
    const auto missed = only_in(then, now), gained = only_in(now, then);
    if (json) {
        const Json object = {{"schema", 1}, {"before", before.path}, {"after", after.path}, {"graph", id},
                             {"policy", then.session->options().policy}, {"ok", true},
                             {"missed", listed(missed, now)}, {"gained", listed(gained, now)},
                             {"summary", {{"before", totals(then)}, {"after", totals(now)}}}};
        output.line(object.dump(-1, ' ', false, Json::error_handler_t::replace));
        return;
    }
    output.line(one_line(after.path + ": " + id));
    for (const std::string& name : missed) output.line(one_line("  no longer: %" + name + " " + now.fate(name)));
    for (const std::string& name : gained) output.line(one_line("  new: %" + name + " " + now.fate(name)));
    output.line("  reinplaced: " + std::to_string(then.summary.reinplaced) + " before, " + std::to_string(now.summary.reinplaced) +
                " after; saved: " + byte_text(then.summary.bytes_saved) + " before, " + byte_text(now.summary.bytes_saved) + " after");
}

} // namespace

void compare_versions(const std::string& before, const std::string& after, const std::string& policy, const std::string& graph,
                      bool json, Output& output) {
    const auto old_program = open_program(before, graph, json, output), new_program = open_program(after, graph, json, output);
    if (!old_program || !new_program) return;
    const auto chosen = choose_graphs(*old_program, graph);
    if (!chosen) return output.file_problem(before, chosen.error().message(), ExitStatus::bad_usage, json);
    for (const std::size_t index : *chosen) {
        const ProgramGraph& source = old_program->graphs[index];
        const ProgramGraph* counterpart = find_graph(*new_program, source.id);
        if (!counterpart) {
            output.file_problem(after, "has no graph " + source.id + ", which " + before + " has", ExitStatus::answered_no, json);
            continue;
        }
        const auto then = run(source, policy), now = run(*counterpart, policy);
        if (!then) return output.problem(then.error().message(), ExitStatus::bad_usage);
        if (!now) return output.problem(now.error().message(), ExitStatus::bad_usage);
        tell(*old_program, *new_program, source.id, *then, *now, json, output);
        if (now->summary.reinplaced < then->summary.reinplaced) output.answer_no();
        if (!output.flush()) return;
    }
}

} // namespace inspector
