#include "core/formats/report/report.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "core/analysis/level.h"
#include "core/graph/print.h"
#include "core/passes/reinplace/explain.h"

namespace inspector {
namespace {

/// "aten.add.Tensor(%a, 1)": what stands on the right of a node's line.
std::string call_text(const Graph& graph, NodeId id) {
    const Node& node = graph.node(id);
    std::string text = node.target.starts_with("torch.ops.") ? node.target.substr(10) : node.target;
    if (node.opcode == Opcode::placeholder || node.opcode == Opcode::get_attr)
        return node.opcode == Opcode::placeholder ? "placeholder" : "get_attr " + text;
    text = node.opcode == Opcode::output ? "return" : text;
    text += '(';
    for (const Argument& argument : node.args) text.append(text.back() == '(' ? "" : ", ").append(format_argument_fx(graph, argument));
    for (const auto& [name, argument] : node.kwargs)
        text.append(text.back() == '(' ? "" : ", ").append(name).append("=").append(format_argument_fx(graph, argument));
    return text + ')';
}

/// "File: model.py:6 in forward, code: …", as stack_summary gives it.
void take_source(ReportRow& row, const std::string& stack_trace) {
    const std::string summary = stack_summary(stack_trace);
    constexpr std::string_view head = "File: ";
    const std::size_t in = summary.find(" in "), colon = in == std::string::npos ? in : summary.rfind(':', in);
    if (!summary.starts_with(head) || colon == std::string::npos || colon < head.size()) return;
    row.source_file = summary.substr(head.size(), colon - head.size());
    for (std::size_t i = colon + 1; i < in && row.source_line < 100'000'000; ++i)
        row.source_line = row.source_line * 10 + (summary[i] - '0');
}

std::map<NodeId, const Decision*> by_node(const std::vector<Decision>& decisions) {
    std::map<NodeId, const Decision*> found;
    for (const Decision& decision : decisions) found[decision.node] = &decision;
    return found;
}

PolicyTotals totals_of(const ReinplaceSession& session) { return {session.options().policy, summarize(session), 0}; }

} // namespace

Report make_report(const std::string& file, const ProgramGraph& source, const ReinplaceSession& session) {
    const Graph& graph = session.original();
    Report report{.file = file, .graph = source.id, .level = std::string(level_name(find_level(graph).level)),
                  .policies = {totals_of(session)}, .rows = {}, .misses = {}};
    const auto decided = by_node(session.decisions());
    for (const NodeId id : graph) {
        ReportRow row;
        row.node = id;
        row.number = static_cast<std::uint32_t>(report.rows.size());
        row.name = graph.node(id).name;
        row.line = call_text(graph, id);
        take_source(row, graph.node(id).origin.stack_trace);
        if (const auto decision = decided.find(id); decision != decided.end()) {
            const bool is_miss = session.is_miss(*decision->second);
            row.decision = decision->second->index;
            row.after = decision->second->new_target;
            row.verdict = is_miss ? "missed" : text_id(decision->second->verdict);
            row.check = text_id(decision->second->check);
            row.bytes = decision->second->verdict == Verdict::kept && !is_miss ? 0 : decision->second->bytes;
            row.reason = explain(session, is_miss ? session.complete(decision->second->index) : *decision->second);
            if (is_miss) report.misses.push_back(report.rows.size());
        }
        report.rows.push_back(std::move(row));
    }
    std::ranges::stable_sort(report.misses, std::ranges::greater(), [&](std::size_t row) { return report.rows[row].bytes; });

    for (const PolicyInfo& policy : policies()) {
        if (policy.id == session.options().policy) continue;
        auto other = ReinplaceSession::start(source, {.policy = policy.id, .first = {}, .choices = {}, .donated = {}});
        if (!other) continue; // cannot happen: the policy is known, and nothing is donated
        (*other)->run_to_end();
        PolicyTotals totals = totals_of(**other);
        for (const Decision& decision : (*other)->decisions()) {
            const auto own = decided.find(decision.node);
            const auto rewrites = [](const Decision& d) { return d.verdict != Verdict::kept && d.verdict != Verdict::upstream_raises; };
            totals.differences += own != decided.end() && (rewrites(decision) != rewrites(*own->second) ||
                                                           decision.new_target != own->second->new_target);
        }
        report.policies.push_back(std::move(totals));
    }
    return report;
}

} // namespace inspector
