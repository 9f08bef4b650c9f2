#include "core/formats/decisions/decisions_json.h"

#include <algorithm>
#include <numeric>

#include <nlohmann/json.hpp>

#include "core/formats/decisions/decision_object.h"
#include "core/formats/decisions/inductor_json.h"
#include "core/passes/reinplace/autograd_note.h"
#include "core/passes/reinplace/proposals/proposals.h"

namespace inspector {
namespace {

using Json = nlohmann::ordered_json;

std::string dump(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

/// Witnesses are nodes of the original graph, or made by the pass.
std::string node_name(const ReinplaceSession& session, NodeId node) {
    for (const Graph* graph : {&session.original(), &session.graph()})
        if (graph->contains(node)) return dump(graph->node(node).name);
    return "null";
}

void append_witnesses(std::string& text, const ReinplaceSession& session, const std::vector<Witness>& witnesses) {
    text += R"("witnesses":[)";
    for (const Witness& witness : witnesses) {
        if (text.back() == '}') text += ',';
        text.append(R"({"role":")").append(text_id(witness.role)).append(R"(","node":)");
        text.append(node_name(session, witness.node)).append("}");
    }
    text += ']';
}

void append_operands(std::string& text, const ReinplaceSession& session, const Decision& decision) {
    text += R"(,"operands":[)";
    for (const OperandDecision& operand : decision.operands) {
        if (text.back() == '}') text += ',';
        Json object = {{"name", operand.name}, {"nodes", Json::array()}, {"in_place", operand.in_place}};
        for (const NodeId value : operand.values) object["nodes"].push_back(session.original().node(value).name);
        const bool was_refused = operand.reason != Reason::none;
        object["check"] = was_refused ? Json(text_id(operand.check)) : Json();
        object["reason"] = was_refused ? Json(text_id(operand.reason)) : Json();
        object["bytes"] = operand.bytes;
        text += dump(object);
        text.back() = ',';
        append_witnesses(text, session, operand.witnesses);
        text += '}';
    }
    text += ']';
}

Json autograd_object(const ReinplaceSession& session, const Decision& decision, const std::optional<AutogradNote>& note) {
    if (!note) return {};
    return {{"kind", text_id(note->kind)},
            {"source", session.original().node(note->source).name},
            {"sentence", plain_text(explain_autograd(session, decision, *note))}};
}

/// Of sizes: where the rewrite that was refused would be right.
Json condition_object(const Decision& decision) {
    if (!decision.condition) return nullptr;
    return {{"in_place_if", decision.condition->text},
            {"only_if", decision.condition->is_exact},
            {"otherwise", decision.condition->otherwise}};
}

void append_decision(std::string& text, const ReinplaceSession& session, const Decision& decision,
                     const std::optional<AutogradNote>& note) {
    text += dump(decision_object(session, decision));
    text.back() = ','; // the object goes on
    append_witnesses(text, session, decision.witnesses);
    text.append(R"(,"bytes":)").append(std::to_string(decision.bytes));
    if (session.facts().is_symbolic()) text.append(R"(,"condition":)").append(dump(condition_object(decision)));
    if (!decision.operands.empty()) append_operands(text, session, decision);
    text.append(R"(,"autograd":)").append(dump(autograd_object(session, decision, note))).append("}");
}

/// A policy may decide in another order than the graph's; the numbers tell.
std::vector<std::uint32_t> in_graph_order(const ReinplaceSession& session) {
    std::vector<std::uint32_t> order(session.decisions().size());
    std::iota(order.begin(), order.end(), 0U);
    const Graph& graph = session.original();
    std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
        return graph.is_before(session.decisions()[a].node, session.decisions()[b].node);
    });
    return order;
}

Json name_or_null(const Graph& graph, NodeId node) { return node == no_node ? Json() : Json(graph.node(node).name); }

/// Continues the last object in `text`.
void append_proposals(std::string& text, const ProgramGraph& source, const ReinplaceSession& session,
                      std::uint32_t index) {
    const Graph& graph = session.original();
    Json object;
    const auto conflict = find_conflict(session, index);
    object["conflict"] = !conflict ? Json()
                                   : Json{{"reader", name_or_null(graph, conflict->reader)},
                                          {"write", name_or_null(graph, conflict->write)},
                                          {"definition", name_or_null(graph, conflict->definition)}};
    const Proposals proposals = propose(source, session, index);
    object["proposals"] = Json::array();
    for (const Proposal& proposal : proposals.offers) {
        Json nodes = Json::array();
        for (const NodeId node : proposal.nodes()) nodes.push_back(graph.node(node).name);
        object["proposals"].push_back({{"kind", text_id(proposal.kind())},
                                       {"nodes", std::move(nodes)},
                                       {"sentence", plain_text(proposal.sentence())},
                                       {"bytes", proposal.bytes}});
    }
    object["no_proposal"] = proposals.none.empty() ? Json() : Json(plain_text(proposals.none));
    text.back() = ',';
    text += dump(object).substr(1);
}

Json summary_object(const ReinplaceSession& session, const DecisionsJsonOptions& options) {
    const ReinplaceSummary summary = summarize(session);
    Json object = {{"nodes", summary.nodes},
                   {"candidates", summary.candidates},
                   {"reinplaced", summary.reinplaced},
                   {"bytes_saved", summary.bytes_saved},
                   {"peak_before", summary.peak_before},
                   {"peak_after", summary.peak_after}};
    if (options.pass_ms) object["pass_ms"] = *options.pass_ms;
    return object;
}

} // namespace

void write_decisions_json(const std::string& file, const std::string& graph, const ReinplaceSession& session,
                          const DecisionsJsonOptions& options, const PieceWriter& write) {
    write(R"({"schema":1,"file":)" + dump(file) + R"(,"graph":)" + dump(graph) + R"(,"policy":)" +
          dump(session.options().policy) + R"(,"ok":true,"decisions":[)");
    const auto notes = autograd_notes(session);
    std::string text;
    bool is_first = true;
    for (const std::uint32_t i : in_graph_order(session)) {
        if (options.only != no_node && session.decisions()[i].node != options.only) continue;
        text = is_first ? "" : ",";
        append_decision(text, session, session.complete(i), notes[i]);
        if (options.source && options.only != no_node) append_proposals(text, *options.source, session, i);
        if (!write(text)) return;
        is_first = false;
    }
    write(R"(],"summary":)" + dump(summary_object(session, options)));
    if (!options.inductor.empty()) write(R"(,"inductor":)" + dump(inductor_object(options.inductor)));
    write("}");
}

std::string decisions_json(const std::string& file, const std::string& graph, const ReinplaceSession& session) {
    std::string text;
    write_decisions_json(file, graph, session, {}, [&](std::string_view piece) {
        text += piece;
        return true;
    });
    return text;
}

} // namespace inspector
