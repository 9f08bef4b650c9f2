// A graph as Inductor's re-inplacing pass looks at it: in Inductor's order, without dead nodes, with nested scatters
// fused, and with what it knows of copy_ epilogues. Read once; its decisions change nothing of what the next one sees.
//
//     %row  = select(%x, 0, 1)                            scatter group at %part:
//     %part = slice_scatter(%row, %src, 0, 2, 5)              base %x, source %src, views select → slice
//     %all  = select_scatter(%x, %part, 0, 1)                 result %all; where %part is used elsewhere, it is
//     %end  = copy_(%x, %all)                                 select(%all, 0, 1)
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/analysis/value_facts.h"
#include "core/graph/graph.h"
#include "core/passes/reinplace/target.h"

namespace inspector {

class InductorGraph {
public:
    using Time = std::uint32_t; ///< place in Inductor's order, from 1

    /// Scatters that Inductor fuses into one write: `members` from the innermost, which decides for all, to the
    /// outermost, whose value is the result. Most groups have one member.
    struct ScatterGroup {
        NodeId base = no_node;
        NodeId source = no_node;
        std::vector<NodeId> members;
        [[nodiscard]] NodeId first() const { return members.front(); }
        [[nodiscard]] NodeId result() const { return members.back(); }
    };

    /// `order`: all nodes as Inductor orders them (preparation.h). `graph`, `facts` and `targets` must outlive this;
    /// vectors of them go by node index.
    InductorGraph(const Graph& graph, const std::vector<NodeId>& order, const GraphFacts& facts,
                  const std::vector<const Target*>& targets, std::vector<bool> is_dead);

    [[nodiscard]] bool is_dead(NodeId node) const { return is_dead_[index_of(node)]; }
    /// A fused scatter stands where its innermost member stands.
    [[nodiscard]] Time time(NodeId node) const { return time_[index_of(node)]; }
    /// nullptr where the node is no scatter.
    [[nodiscard]] const ScatterGroup* group_of(NodeId scatter) const;

    // --- values ------------------------------------------------------------------------------------------------------
    /// Storage of a single tensor; 0 where there is none, or nothing is known.
    [[nodiscard]] StorageId storage(NodeId node) const { return storage_[index_of(node)]; }
    /// nullptr where it is not known.
    [[nodiscard]] const TensorLayout* layout(NodeId node) const;
    /// Those on the storage of `node` that Inductor thinks may share memory with it, in order.
    [[nodiscard]] std::vector<NodeId> overlapping_values(NodeId node) const;
    [[nodiscard]] const std::vector<NodeId>& users(NodeId node) const { return users_[index_of(node)]; }
    /// Needs nothing but sizes and strides: sym_size and the like, and views that feed only those.
    [[nodiscard]] bool reads_metadata_only(NodeId user) const { return metadata_only_[index_of(user)]; }
    /// In memory whatever fuses: an input, an output, the result or operand of a kernel of torch's own.
    [[nodiscard]] bool is_realized(NodeId node) const;
    [[nodiscard]] bool is_input(NodeId node) const;
    /// Follows views down to what they view.
    [[nodiscard]] NodeId view_base(NodeId node) const;
    [[nodiscard]] bool same_metadata(NodeId a, NodeId b) const;

    // --- copy_ into inputs -------------------------------------------------------------------------------------------
    /// The first copy_ into the input; no_node where there is none.
    [[nodiscard]] NodeId copy_into(NodeId input) const { return look_up(first_copy_, {input, no_node}); }
    /// The copy_ of the result of `writer` back into the input `operand`.
    [[nodiscard]] NodeId copy_back(NodeId operand, NodeId writer) const {
        return look_up(copy_back_, {operand, writer});
    }
    /// The copy_ of a view of the result of `writer` back into the input that `operand` is a view of. All layouts fit.
    [[nodiscard]] NodeId copy_back_through_views(NodeId operand, NodeId writer) const {
        return look_up(copy_back_through_views_, {operand, writer});
    }

private:
    using Pair = std::pair<NodeId, NodeId>;
    [[nodiscard]] static NodeId look_up(const std::map<Pair, NodeId>& map, Pair key);
    [[nodiscard]] const Target& target(NodeId node) const { return *targets_[index_of(node)]; }
    [[nodiscard]] bool is_view(NodeId node) const;
    [[nodiscard]] NodeId view_operand(NodeId view) const;
    void fuse_scatters();
    void place_values();
    void place_group(const ScatterGroup& group);
    void shift(StorageId storage, std::int64_t distance);
    void note_users();
    void note_copies();
    void note_copy(NodeId copy);

    const Graph& graph_;
    const GraphFacts& facts_;
    const std::vector<const Target*>& targets_;
    std::vector<bool> is_dead_;
    std::vector<NodeId> order_; ///< without dead nodes
    std::vector<Time> time_;
    std::vector<ScatterGroup> groups_;
    std::vector<std::uint32_t> group_;  ///< per node: 1 + place in groups_
    std::vector<NodeId> view_of_group_; ///< per node: an inner member is a view of the next outer one
    std::vector<StorageId> storage_;
    std::vector<std::optional<TensorLayout>> layouts_;
    std::vector<std::vector<NodeId>> values_on_; ///< per storage
    std::vector<std::vector<NodeId>> users_;
    std::vector<bool> metadata_only_;
    std::map<Pair, NodeId> first_copy_;
    std::map<Pair, NodeId> copy_back_;
    std::map<Pair, NodeId> copy_back_through_views_;
};

} // namespace inspector
