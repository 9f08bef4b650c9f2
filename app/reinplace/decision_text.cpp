#include "app/reinplace/decision_text.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string_view>

#include "core/graph/byte_text.h"
#include "core/graph/count_text.h"
#include "core/graph/utf8.h"
#include "core/graph/print.h"
#include "core/passes/reinplace/autograd_note.h"
#include "core/passes/reinplace/explain.h"
#include "core/passes/reinplace/proposals/proposals.h"

namespace inspector {
namespace {

std::string padded(std::string_view text, std::size_t width) {
    std::string out(text);
    if (out.size() < width) out.append(width - out.size(), ' ');
    return out;
}

std::string heading(const std::string& file, const std::string& graph, const ReinplaceSession& session) {
    return one_line(file + ", graph " + graph + ", policy " + session.options().policy);
}

std::string_view state_word(CheckStep::State state) {
    switch (state) {
    case CheckStep::State::pending: return "pending";
    case CheckStep::State::passed: return "passed";
    case CheckStep::State::failed: return "failed";
    case CheckStep::State::skipped: return "not asked";
    }
    return "pending";
}

const Decision* decision_on(const ReinplaceSession& session, NodeId node) {
    const auto& decisions = session.decisions();
    const auto found = std::find_if(decisions.begin(), decisions.end(), [&](const Decision& d) { return d.node == node; });
    return found == decisions.end() ? nullptr : &*found;
}

/// How a person does it: an option of this program, or an edit of the model.
std::string how_to(const Proposal& proposal, const ReinplaceSession& session) {
    std::string options;
    for (const Change& change : proposal.changes)
        if (change.kind == ChangeKind::donate_input)
            options += (options.empty() ? "--donate " : ",") + session.original().node(change.nodes.front()).name;
    if (options.empty()) return "";
    const auto is_edit = [](const Change& change) { return change.kind != ChangeKind::donate_input; };
    const bool edits = std::ranges::any_of(proposal.changes, is_edit);
    return " (" + options + (edits ? ", and an edit of the model)" : ")");
}

std::string saving_text(std::int64_t bytes) {
    if (bytes == 0) return "saves nothing";
    return (bytes > 0 ? "saves " : "costs ") + byte_text(bytes > 0 ? bytes : -bytes);
}

std::string proposals_text(const ProgramGraph& graph, const ReinplaceSession& session, const Decision& decision) {
    std::string text;
    if (const auto conflict = find_conflict(session, decision.index))
        text += one_line("Conflict: " + plain_text(explain_conflict(session, *conflict)) + ".") + '\n';
    const bool is_kept = decision.verdict == Verdict::kept && decision.reason != Reason::skipped;
    if (!is_kept || session.options().policy != "sound") return text;
    const Proposals proposals = propose(graph, session, decision.index);
    if (proposals.offers.empty())
        return text + one_line("No change would let it be reinplaced: " + plain_text(proposals.none) + ".") + '\n';
    text += "Changes that would let it be reinplaced, each tried out:\n";
    for (const Proposal& proposal : proposals.offers) {
        const std::string words = plain_text(proposal.sentence()) + how_to(proposal, session);
        text += one_line("  " + padded(saving_text(proposal.bytes), 18) + words) + '\n';
    }
    return text;
}

} // namespace

std::string decisions_text(const std::string& file, const std::string& graph, const ReinplaceSession& session,
                           std::optional<double> pass_ms) {
    const ReinplaceSummary summary = summarize(session);
    std::string text = heading(file, graph, session) + '\n';
    text += std::to_string(summary.reinplaced) + " of " + count_text(summary.candidates, "candidate") + " reinplaced, " +
            byte_text(summary.bytes_saved) + " saved; peak " + byte_text(summary.peak_before) + " before, " +
            byte_text(summary.peak_after) + " after";
    if (pass_ms) {
        std::array<char, 48> buffer{};
        std::snprintf(buffer.data(), buffer.size(), "; the pass took %.3f ms", *pass_ms);
        text += buffer.data();
    }
    text += '\n';

    std::size_t widest_name = 0;
    std::size_t widest_target = 0;
    constexpr std::size_t column_limit = 40; // a name of a thousand letters moves its own line only
    for (const Decision& decision : session.decisions()) {
        widest_name = std::max(widest_name, std::min(column_limit, session.original().node(decision.node).name.size()));
        widest_target = std::max(widest_target, std::min(column_limit, decision.target.size()));
    }
    const auto notes = autograd_notes(session);
    for (const Decision& decision : session.decisions()) {
        const std::string number = std::to_string(decision.index);
        std::string line = std::string(number.size() < 6 ? 6 - number.size() : 0, ' ') + number + "  ";
        line += padded(session.original().node(decision.node).name, widest_name) + "  ";
        line += padded(decision.target, widest_target) + "  ";
        line += plain_text(explain(session, session.complete(decision.index)));
        if (const auto& note = notes[decision.index]) line += "; " + plain_text(explain_autograd(session, decision, *note));
        text += one_line(line) + '\n';
    }
    return text;
}

std::string node_text(const std::string& file, const ProgramGraph& graph, const ReinplaceSession& session,
                      NodeId node) {
    std::string text = heading(file, graph.id, session) + '\n';
    text += one_line(print_fx_node(session.original(), node)) + '\n';
    const Decision* decision = decision_on(session, node);
    if (!decision) return text + "No decision: the pass decides on call_function nodes.\n";

    text += one_line("Decision " + std::to_string(decision->index) + ": " + plain_text(explain(session, session.complete(decision->index)))) + '\n';
    if (const auto note = autograd_notes(session)[decision->index])
        text += one_line("  note: " + plain_text(explain_autograd(session, *decision, *note))) + '\n';
    for (const CheckStep& step : session.checks(decision->index)) {
        text += "  " + padded(state_word(step.state), 11) + std::string(text_id(step.check)) + '\n';
        for (const Sentence& sentence : explain_check(session, decision->index, step))
            text += "      " + one_line(plain_text(sentence)) + '\n';
    }
    const ChangePreview change = preview_change(session, decision->index);
    for (const std::string& line : change.before) text += one_line("  - " + line) + '\n';
    for (const std::string& line : change.after) text += one_line("  + " + line) + '\n';
    return text + proposals_text(graph, session, *decision);
}

} // namespace inspector
