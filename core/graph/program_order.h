// The order of a graph's nodes: a doubly linked list whose labels tell in constant time which of two nodes is first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/graph/argument.h"

namespace inspector {

/// Links of the nodes by index. Labels rise along the list; where two neighbours leave no number between them, the
/// nodes around are labelled anew, which costs O(log n) per insertion over time (Bender, Cole, Demaine, Farach-Colton,
/// Zito: Two Simplified Algorithms for Maintaining Order in a List, 2002).
class ProgramOrder {
public:
    [[nodiscard]] NodeId first() const { return first_; }
    [[nodiscard]] NodeId last() const { return last_; }
    [[nodiscard]] NodeId next(NodeId id) const { return links_[index_of(id)].next; }
    [[nodiscard]] NodeId previous(NodeId id) const { return links_[index_of(id)].previous; }
    [[nodiscard]] std::uint64_t label(NodeId id) const { return links_[index_of(id)].label; }
    [[nodiscard]] bool is_before(NodeId a, NodeId b) const { return label(a) < label(b); }

    /// Makes room for one more index; it is not in the list yet.
    void add_index() { links_.emplace_back(); }
    void remove_last_index() { links_.pop_back(); }
    /// Puts `id`, which is not in the list, before `next`; no_node: at the end.
    void link_before(NodeId id, NodeId next);
    void unlink(NodeId id);

private:
    struct Link {
        NodeId previous = no_node;
        NodeId next = no_node;
        std::uint64_t label = 0;
    };
    [[nodiscard]] Link& link(NodeId id) { return links_[index_of(id)]; }
    [[nodiscard]] std::uint64_t label_between(NodeId previous, NodeId next);
    void relabel_around(NodeId id);

    std::vector<Link> links_;
    NodeId first_ = no_node;
    NodeId last_ = no_node;
};

} // namespace inspector
