#include "core/formats/functionalization/steps_json.h"

#include <nlohmann/json.hpp>

namespace inspector {
namespace {

using Json = nlohmann::ordered_json;

class StepWriter {
public:
    explicit StepWriter(const FunctionalizeSession& session) : session_(session) {}

    Json step(const FunctionalizeStep& step) const {
        Json aliases = Json::array(), added = Json::array(), redirected = Json::array();
        for (const SeeingAlias& alias : session_.aliases(step.index))
            aliases.push_back({{"node", name(alias.node)}, {"overlaps", alias.overlaps}, {"is_read_later", alias.is_read_later}});
        for (const AddedNode& node : step.added)
            added.push_back({{"node", name(node.node)}, {"role", text_id(node.role)}, {"source", name(node.source)},
                             {"kept", session_.graph().contains(node.node)}});
        for (const Redirection& change : step.redirected)
            redirected.push_back({{"user", name(change.user)}, {"from", name(change.from)}, {"to", name(change.to)}});
        return {{"index", step.index},
                {"node", name(step.node)},
                {"target", step.target},
                {"functional_target", step.functional_target.empty() ? Json() : Json(step.functional_target)},
                {"refusal", step.refusal == MutationRefusal::none ? Json() : Json(text_id(step.refusal))},
                {"written", names(step.written)},
                {"values", names(step.values)},
                {"aliases", std::move(aliases)},
                {"added", std::move(added)},
                {"redirected", std::move(redirected)}};
    }

    /// null for a node that dead code elimination took and only the pass knew.
    Json name(NodeId node) const {
        for (const Graph* graph : {&session_.graph(), &session_.original()})
            if (node != no_node && graph->contains(node)) return graph->node(node).name;
        return nullptr;
    }

private:
    Json names(const std::vector<NodeId>& nodes) const {
        Json list = Json::array();
        for (const NodeId node : nodes) list.push_back(name(node));
        return list;
    }

    const FunctionalizeSession& session_;
};

} // namespace

std::string functionalization_json(const std::string& file, const std::string& graph, const FunctionalizeSession& session) {
    const StepWriter writer(session);
    Json steps = Json::array(), inputs = Json::array();
    for (const FunctionalizeStep& step : session.steps()) steps.push_back(writer.step(step));
    if (const FunctionalizeEnding* ending = session.ending())
        for (const WrittenInput& input : ending->inputs)
            inputs.push_back({{"input", writer.name(input.placeholder)}, {"value", writer.name(input.value)}, {"copy", writer.name(input.copy)}});
    const Json object = {{"schema", 1},
                         {"file", file},
                         {"graph", graph},
                         {"ok", session.at_end() && session.refusal() == MutationRefusal::none},
                         {"steps", std::move(steps)},
                         {"inputs", std::move(inputs)},
                         {"summary", {{"mutations", session.mutations().size()},
                                      {"nodes_before", session.original().size()},
                                      {"nodes_after", session.graph().size()}}}};
    return object.dump(-1, ' ', false, Json::error_handler_t::replace);
}

} // namespace inspector
