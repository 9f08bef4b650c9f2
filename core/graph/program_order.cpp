#include "core/graph/program_order.h"

#include <limits>

namespace inspector {
namespace {

constexpr std::uint64_t last_label = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t append_gap = std::uint64_t{1} << 32U;

} // namespace

void ProgramOrder::link_before(NodeId id, NodeId next) {
    const NodeId previous = next == no_node ? last_ : link(next).previous;
    const std::uint64_t label = label_between(previous, next);
    link(id) = {previous, next, label};
    (previous == no_node ? first_ : link(previous).next) = id;
    (next == no_node ? last_ : link(next).previous) = id;
}

void ProgramOrder::unlink(NodeId id) {
    const auto [previous, next, label] = link(id);
    (previous == no_node ? first_ : link(previous).next) = next;
    (next == no_node ? last_ : link(next).previous) = previous;
}

std::uint64_t ProgramOrder::label_between(NodeId previous, NodeId next) {
    for (;;) {
        const std::uint64_t low = previous == no_node ? 0 : label(previous); // 0 itself is never given
        const std::uint64_t high = next == no_node ? last_label : label(next);
        if (next == no_node && high - low > append_gap) return low + append_gap;
        if (high - low >= 2) return low + (high - low) / 2;
        relabel_around(previous == no_node ? next : previous);
    }
}

// Takes the smallest aligned range of labels around the node that is sparse enough (the share of used labels that is
// allowed falls by a constant factor as ranges double) and spreads its nodes evenly.
void ProgramOrder::relabel_around(NodeId id) {
    constexpr double growth = 2.0 / 1.3;
    double capacity = 1;
    NodeId leftmost = id;
    NodeId rightmost = id;
    std::uint64_t count = 1;
    for (unsigned bits = 1; bits <= 64; ++bits) {
        capacity *= growth;
        const std::uint64_t mask = bits == 64 ? last_label : (std::uint64_t{1} << bits) - 1;
        const std::uint64_t low = label(id) & ~mask;
        const std::uint64_t high = low + mask;
        for (NodeId before; (before = previous(leftmost)) != no_node && label(before) >= low; ++count)
            leftmost = before;
        for (NodeId after; (after = next(rightmost)) != no_node && label(after) <= high; ++count)
            rightmost = after;
        const std::uint64_t step = mask / (count + 1);
        if (bits < 64 && (step < 2 || static_cast<double>(count) > capacity)) continue;
        std::uint64_t label = low;
        for (NodeId node = leftmost;; node = next(node)) {
            link(node).label = label += step;
            if (node == rightmost) return;
        }
    }
}

} // namespace inspector
