// What decomposition did with one call, as a record.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/graph/graph.h"

namespace inspector {

/// One call that was taken apart.
struct DecomposeStep {
    std::uint32_t index = 0;
    NodeId node = no_node;           ///< the call, which is gone
    std::string name;                ///< its name
    std::string target;              ///< "aten.silu.default"
    std::string rule;                ///< the equation, or that the operator's own kernel was traced
    NodeId source = no_node;         ///< the original graph's node that it was made for; itself where it was there before
    std::vector<NodeId> added;       ///< in program order
    /// Values that stand for its results now: (the node that named the result, the value).
    std::vector<std::pair<NodeId, NodeId>> replaced;
    std::vector<NodeId> erased;      ///< the call, and the getitem nodes that took its results
};

/// A call that is not Core ATen and stays.
struct LeftCall {
    enum class Reason : std::uint8_t {
        kept,        ///< somebody chose so
        mutating,    ///< it writes an argument: functionalize first
        unknown,     ///< no operator of that name is known
        no_rule,     ///< nothing tells what it is made of
        refused,     ///< what tells does not take these arguments
    };
    NodeId node = no_node;
    std::string target;              ///< "aten.svd.default"
    Reason reason = Reason::no_rule;
    std::string words;               ///< why, for a person
};

[[nodiscard]] std::string_view text_id(LeftCall::Reason reason);

} // namespace inspector
