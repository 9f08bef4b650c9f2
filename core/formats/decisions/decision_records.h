// What the pass decided, for the metadata "custom" of a program: what other tools keep there stays beside it.
#pragma once

#include <map>
#include <string>

namespace inspector {

class ReinplaceSession;

/// Texts of JSON objects, each valid UTF-8.
struct DecisionRecords {
    /// By the name of the rewritten graph's node: {"index", "node", "target", "verdict", "check", "reason", "new_target",
    /// "bytes", "sentence"}, with the meaning of decisions_json.h.
    std::map<std::string, std::string> nodes;
    /// {"policy", "removed": [those on nodes that the rewritten graph has no more]}. Empty: there are no records.
    std::string graph;

    [[nodiscard]] bool empty() const { return graph.empty(); }
};

/// Of all decisions made so far.
[[nodiscard]] DecisionRecords decision_records(const ReinplaceSession& session);

} // namespace inspector
