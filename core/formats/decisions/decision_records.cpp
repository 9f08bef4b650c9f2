#include "core/formats/decisions/decision_records.h"

#include <nlohmann/json.hpp>

#include "core/formats/decisions/decision_object.h"
#include "core/passes/reinplace/explain.h"

namespace inspector {
namespace {

using Json = nlohmann::ordered_json;

std::string dump(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

/// Without the details, which name every later use: together more than the graph.
Json record(const ReinplaceSession& session, const Decision& decision) {
    Json object = decision_object(session, decision);
    object.erase("detail");
    object["bytes"] = decision.bytes;
    object["sentence"] = plain_text(explain(session, decision));
    return object;
}

} // namespace

DecisionRecords decision_records(const ReinplaceSession& session) {
    DecisionRecords records;
    Json removed = Json::array();
    for (const Decision& made : session.decisions()) {
        Json decision = record(session, session.complete(made.index));
        if (session.graph().contains(made.node)) records.nodes.emplace(session.graph().node(made.node).name, dump(decision));
        else removed.push_back(std::move(decision));
    }
    records.graph = dump({{"policy", session.options().policy}, {"removed", std::move(removed)}});
    return records;
}

} // namespace inspector
