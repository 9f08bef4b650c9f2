#include "core/formats/decisions/decisions_json.h"

#include <nlohmann/json.hpp>

namespace inspector {
namespace {

using Json = nlohmann::ordered_json;

std::string dump(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

Json decision_object(const ReinplaceSession& session, const Decision& decision) {
    Json witnesses = Json::array();
    for (const Witness& witness : decision.witnesses) {
        // Witnesses are nodes of the original graph, or made by the pass.
        const Graph& graph = session.original().contains(witness.node) ? session.original() : session.graph();
        witnesses.push_back({{"role", text_id(witness.role)},
                             {"node", graph.contains(witness.node) ? Json(graph.node(witness.node).name) : Json()}});
    }
    return {{"index", decision.index},
            {"node", session.original().node(decision.node).name},
            {"target", decision.target},
            {"verdict", text_id(decision.verdict)},
            {"check", text_id(decision.check)},
            {"reason", decision.reason == Reason::none ? Json() : Json(text_id(decision.reason))},
            {"detail", decision.verdict == Verdict::reinplaced ? Json::array() : Json(decision.detail)}, // new_target says it
            {"new_target", decision.new_target.empty() ? Json() : Json(decision.new_target)},
            {"witnesses", std::move(witnesses)},
            {"bytes", decision.bytes}};
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

std::string decisions_json(const std::string& file, const std::string& graph, const ReinplaceSession& session,
                           const DecisionsJsonOptions& options) {
    std::string text = R"({"schema":1,"file":)" + dump(file) + R"(,"graph":)" + dump(graph) + R"(,"policy":)" +
                       dump(session.options().policy) + R"(,"ok":true,"decisions":[)";
    // One decision at a time: a graph of 100,000 nodes never stands in memory as JSON values.
    const char* separator = "";
    for (std::uint32_t i = 0; i < session.decisions().size(); ++i) {
        if (options.only != no_node && session.decisions()[i].node != options.only) continue;
        text += separator + dump(decision_object(session, session.complete(i)));
        separator = ",";
    }
    return text + R"(],"summary":)" + dump(summary_object(session, options)) + '}';
}

} // namespace inspector
