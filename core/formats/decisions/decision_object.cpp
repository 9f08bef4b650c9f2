#include "core/formats/decisions/decision_object.h"

#include <nlohmann/json.hpp>

namespace inspector {

nlohmann::ordered_json decision_object(const ReinplaceSession& session, const Decision& decision) {
    using Json = nlohmann::ordered_json;
    const bool says_target_as_detail = decision.verdict == Verdict::reinplaced; // new_target has it
    return {{"index", decision.index},
            {"node", session.original().node(decision.node).name},
            {"target", decision.target},
            {"verdict", text_id(decision.verdict)},
            {"check", text_id(decision.check)},
            {"reason", decision.reason == Reason::none ? Json() : Json(text_id(decision.reason))},
            {"detail", says_target_as_detail ? Json::array() : Json(decision.detail)},
            {"new_target", decision.new_target.empty() ? Json() : Json(decision.new_target)}};
}

} // namespace inspector
