// Which scatters write back what an alias set already holds: the match of torch.fx.passes.reinplace.
//
//     %v = select(%base, 0, 1)                       %v is a viewed value, %base its base
//     %w = mul(%v, 2)                                would be written in place, into %v
//     %s = select_scatter(%base, %w, 0, 1)           inverse of select(%base, 0, 1): matches %v, may be dropped
//
// A scatter matches a set when some member that is a view has a base of the size, stride and offset of the scatter's
// base, and the inverse view with the scatter's arguments, taken of that base, gives the member's size, stride and offset.
// Neither the written value nor the region it covers is looked at; facts for people, not a proof.
#pragma once

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

#include "core/analysis/value_facts.h"
#include "core/passes/reinplace/view_shape.h"

namespace inspector {

/// All views of a graph by their shape and their base's shape, so that a scatter finds its matches without a search.
class ScatterMatch {
public:
    ScatterMatch(const Graph& graph, const GraphFacts& facts);

    /// The first view in program order, among those `is_member` accepts, that `scatter` is the inverse of; no_node where
    /// there is none. `view` is the operator the scatter inverts, `base` the value the scatter starts from.
    [[nodiscard]] NodeId find(const Node& scatter, const Operator& view, NodeId base,
                              const std::function<bool(NodeId)>& is_member) const;

private:
    struct Key {
        ViewShape base;
        ViewShape view;
        friend bool operator==(const Key&, const Key&) = default;
    };
    struct Hash {
        std::size_t operator()(const Key& key) const;
    };

    const GraphFacts& facts_;
    std::unordered_map<Key, std::vector<NodeId>, Hash> views_; ///< looked up, never walked
};

} // namespace inspector
