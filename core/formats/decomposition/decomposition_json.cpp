#include "core/formats/decomposition/decomposition_json.h"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace inspector {

std::string decomposition_json(const std::string& file, const std::string& graph, const DecomposeSession& session) {
    using Json = nlohmann::ordered_json;
    const auto name = [&](NodeId node) -> Json {
        for (const Graph* each : {&session.graph(), &session.original()})
            if (node != no_node && each->contains(node)) return each->node(node).name;
        return nullptr;
    };
    const auto target = [&](NodeId node) -> Json {
        return session.graph().contains(node) ? Json(session.graph().node(node).target) : Json();
    };
    Json steps = Json::array(), left = Json::array();
    for (const DecomposeStep& step : session.steps()) {
        Json added = Json::array(), replaced = Json::array();
        for (const NodeId node : step.added) added.push_back({{"node", name(node)}, {"target", target(node)}});
        for (const auto& [from, to] : step.replaced) replaced.push_back({{"from", name(from)}, {"to", name(to)}});
        steps.push_back({{"index", step.index},
                         {"node", step.name},
                         {"target", step.target},
                         {"rule", step.rule},
                         {"source", name(step.source)},
                         {"added", std::move(added)},
                         {"replaced", std::move(replaced)}});
    }
    for (const LeftCall& call : session.left())
        left.push_back({{"node", name(call.node)}, {"target", call.target}, {"reason", text_id(call.reason)}, {"words", call.words}});
    const bool ok = std::ranges::all_of(session.left(), [](const LeftCall& call) { return call.reason == LeftCall::Reason::kept; });
    const Json object = {{"schema", 1},
                         {"file", file},
                         {"graph", graph},
                         {"ok", ok},
                         {"steps", std::move(steps)},
                         {"left", std::move(left)},
                         {"summary", {{"steps", session.steps().size()},
                                      {"left", session.left().size()},
                                      {"nodes_before", session.original().size()},
                                      {"nodes_after", session.graph().size()}}}};
    return object.dump(-1, ' ', false, Json::error_handler_t::replace);
}

} // namespace inspector
