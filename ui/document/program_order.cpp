#include "ui/document/program_order.h"

namespace inspector {

std::vector<NodeId> programOrder(const Graph& original, const Graph& rewritten) {
    std::vector<NodeId> order;
    order.reserve(original.size() + 16);
    NodeId next_rewritten = rewritten.first();
    // Nodes that `original` has not, up to `end`.
    const auto take_created = [&](NodeId end) {
        for (; next_rewritten != end && next_rewritten != no_node; next_rewritten = rewritten.next(next_rewritten))
            if (!original.contains(next_rewritten)) order.push_back(next_rewritten);
    };
    for (const NodeId node : original) {
        if (rewritten.contains(node)) {
            take_created(node);
            next_rewritten = rewritten.next(node);
        }
        order.push_back(node);
    }
    take_created(no_node);
    return order;
}

} // namespace inspector
