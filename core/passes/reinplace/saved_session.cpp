#include "core/passes/reinplace/saved_session.h"

#include <algorithm>
#include <unordered_map>

#include "core/graph/count_text.h"

namespace inspector {
namespace {

SavedDecision saved_decision(const Graph& original, const Decision& decision) {
    return {original.node(decision.node).name, std::string(text_id(decision.verdict)),
            std::string(text_id(decision.check)), std::string(text_id(decision.reason))};
}

std::optional<Choice> choice_of(const std::string& name) {
    for (const Choice choice : {Choice::accept, Choice::skip, Choice::force})
        if (text_id(choice) == name) return choice;
    return std::nullopt;
}

/// A session at its start, with the choices made.
Result<std::unique_ptr<ReinplaceSession>> start(const ProgramGraph& source, const SavedSession& saved) {
    ReinplaceSession::Options options;
    options.policy = saved.policy;
    options.first = saved.first;
    options.donated = saved.donated;
    auto session = ReinplaceSession::start(source, std::move(options));
    if (!session) {
        session.error().place = "session";
        return session;
    }
    std::unordered_map<std::string, std::uint32_t> number;
    for (const NodeId node : (*session)->decision_nodes())
        number.emplace((*session)->original().node(node).name, static_cast<std::uint32_t>(number.size()));
    for (const auto& [node, name] : saved.choices) {
        const auto choice = choice_of(name);
        if (!choice) return fail("session, choices", "no choice is named \"" + name + '"');
        const auto found = number.find(node);
        if (found == number.end()) return fail("session, choices", "no decision is made on a node \"" + node + '"');
        (*session)->choose(found->second, *choice);
    }
    return session;
}

} // namespace

SavedSession save_session(const ReinplaceSession& session, std::size_t graph, NodeId selected) {
    const Graph& original = session.original();
    SavedSession saved;
    saved.graph = graph;
    saved.policy = session.options().policy;
    saved.first = session.options().first;
    saved.donated = session.options().donated;
    for (const auto& [index, choice] : session.options().choices)
        if (index < session.decision_nodes().size())
            saved.choices.push_back(
                {original.node(session.decision_nodes()[index]).name, std::string(text_id(choice))});
    saved.position = session.position();
    saved.checks = session.checks_asked();
    for (const Graph* holder : {&original, &session.graph()})
        if (saved.selected.empty() && selected != no_node && holder->contains(selected))
            saved.selected = holder->node(selected).name;
    for (const Decision& decision : session.decisions()) saved.decisions.push_back(saved_decision(original, decision));
    return saved;
}

Result<ReinplaceSession::Options> saved_options(const ProgramGraph& source, const SavedSession& saved) {
    auto session = start(source, saved);
    if (!session) return tl::unexpected(session.error());
    return (*session)->options();
}

Result<RestoredSession> restore_session(const ProgramGraph& source, const SavedSession& saved) {
    auto session = start(source, saved);
    if (!session) return tl::unexpected(session.error());
    RestoredSession restored{.session = std::move(*session), .selected = no_node, .notes = {}};
    restored.session->run_to(saved.position);
    for (std::uint32_t i = 0; i < saved.checks && restored.session->position() == saved.position; ++i)
        restored.session->step_check();
    for (const Graph* graph : {&restored.session->original(), &restored.session->graph()})
        if (restored.selected == no_node && !saved.selected.empty()) restored.selected = graph->find(saved.selected);
    if (std::string changed = changed_decisions(*restored.session, saved); !changed.empty())
        restored.notes.push_back(std::move(changed));
    return restored;
}

std::vector<SymbolRange> asked_ranges(const ProgramGraph& graph, const SavedSession& saved) {
    std::vector<SymbolRange> asked;
    if (!saved.file_ranges) return asked;
    for (const SymbolRange& range : graph.ranges)
        if (std::ranges::find(saved.file_ranges->ranges, range) == saved.file_ranges->ranges.end()) asked.push_back(range);
    std::ranges::sort(asked, {}, &SymbolRange::symbol);
    return asked;
}

void take_file_ranges(ProgramGraph& graph, const SavedSession& saved) {
    if (!saved.file_ranges) return;
    graph.ranges = saved.file_ranges->ranges;
    graph.hints = saved.file_ranges->hints;
}

std::string changed_decisions(const ReinplaceSession& session, const SavedSession& saved) {
    constexpr std::size_t most_named = 5;
    std::unordered_map<std::string, const SavedDecision*> then;
    for (const SavedDecision& decision : saved.decisions) then.emplace(decision.node, &decision);
    std::size_t changed = 0;
    std::string names;
    for (const Decision& decision : session.decisions()) {
        const SavedDecision now = saved_decision(session.original(), decision);
        const auto found = then.find(now.node);
        if (found == then.end() || *found->second == now) continue;
        if (++changed > most_named) continue;
        names += (names.empty() ? "%" : ", %") + now.node + " (" + found->second->verdict + " then, " + now.verdict + " now)";
    }
    if (changed == 0) return "";
    if (changed > most_named) names += ", …";
    return count_text(changed, "decision is", "decisions are") +
           " made otherwise than when the document was saved: " + names;
}

} // namespace inspector
