#include "app/reinplace/decision_text.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string_view>

#include "core/graph/byte_text.h"
#include "core/graph/utf8.h"
#include "core/graph/print.h"
#include "core/passes/reinplace/autograd_note.h"
#include "core/passes/reinplace/explain.h"

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

} // namespace

std::string decisions_text(const std::string& file, const std::string& graph, const ReinplaceSession& session,
                           std::optional<double> pass_ms) {
    const ReinplaceSummary summary = summarize(session);
    std::string text = heading(file, graph, session) + '\n';
    text += std::to_string(summary.reinplaced) + " of " + std::to_string(summary.candidates) + " candidates reinplaced, " +
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

std::string node_text(const std::string& file, const std::string& graph, const ReinplaceSession& session, NodeId node) {
    std::string text = heading(file, graph, session) + '\n';
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
    return text;
}

} // namespace inspector
