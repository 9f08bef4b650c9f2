// Everything the re-inplacing pass knows and changes: what checks are asked about and rewrites act on.
#pragma once

#include <optional>
#include <vector>

#include "core/analysis/storages.h"
#include "core/analysis/value_facts.h"
#include "core/graph/program.h"
#include "core/passes/reinplace/alias_sets.h"
#include "core/passes/reinplace/inductor/inductor_graph.h"
#include "core/passes/reinplace/placements.h"
#include "core/passes/reinplace/scatter_match.h"
#include "core/passes/reinplace/target.h"

namespace inspector {

struct Policy;

class PassState {
public:
    PassState(const ProgramGraph& source, const Policy& policy, const std::vector<std::string>& donated);
    PassState(const PassState&) = delete;
    PassState& operator=(const PassState&) = delete;

    const Graph original;
    const GraphFacts facts;
    const Storages storages;
    Graph graph;                ///< as rewritten so far
    /// Every call_function node, one decision each, in the order of decision: that of the graph, unless the policy
    /// reorders it.
    std::vector<NodeId> calls;

private: // before `sets`, which is made from them
    Targets targets_;
    std::vector<const Target*> targets_by_node_;
    std::vector<bool> is_input_;
    std::vector<bool> reads_constant_;

public:
    AliasSets sets;
    std::optional<Placements> places;      ///< where the policy follows them
    std::optional<InductorGraph> inductor; ///< where the policy decides as Inductor does

    [[nodiscard]] const Target& target(NodeId node) const { return *targets_by_node_[index_of(node)]; }
    [[nodiscard]] AliasSets::Time time(NodeId node) const { return sets.time(node); }
    /// Storage of a node's tensor; 0 where it has none, or several.
    [[nodiscard]] StorageId storage(NodeId node) const {
        if (index_of(node) >= facts.size()) return 0; // made by the pass
        const auto& all = facts.storages(node);
        return all.size() == 1 ? all.front() : 0;
    }
    /// A program input lives on the storage.
    [[nodiscard]] bool is_input(StorageId storage) const { return is_input_[storage]; }
    /// The node itself reads a tensor that is an attribute of the module.
    [[nodiscard]] bool reads_constant(NodeId node) const { return reads_constant_[index_of(node)]; }

    /// The view in the set of `state` that `scatter`, as it stood at `then`, writes back to; no_node: it matches none.
    [[nodiscard]] NodeId matched_view(NodeId scatter, AliasSets::State state, AliasSets::Time then) const;

    // --- what rewrites note ------------------------------------------------------------------------------------------
    /// Later users of `old` use `by` from `now` on.
    void note_replacement(NodeId old, NodeId by, AliasSets::Time now);
    /// What later users of `old` use instead; no_node: `old` itself.
    [[nodiscard]] NodeId replacement(NodeId old) const { return replacement_of_[index_of(old)].by; }
    /// args[0] of `node` as it stood at `then`; no_node where it is no node.
    [[nodiscard]] NodeId first_argument_at(NodeId node, AliasSets::Time then) const;
    /// A doomed scatter is erased when the pass ends.
    void doom(NodeId scatter);
    [[nodiscard]] bool is_doomed(NodeId node) const { return is_doomed_[index_of(node)]; }
    [[nodiscard]] const std::vector<NodeId>& doomed() const { return doomed_; }

    // --- undo --------------------------------------------------------------------------------------------------------
    struct Mark {
        Graph::Mark graph;
        AliasSets::Mark sets;
        std::size_t doomed, replaced;
        Placements::Mark places;
    };
    [[nodiscard]] Mark mark() const;
    void undo_to(const Mark& mark);

private:
    struct Replacement {
        NodeId by = no_node;
        AliasSets::Time at = 0;
    };

    std::optional<ScatterMatch> scatter_match_; ///< where the graph has scatters
    std::vector<bool> is_doomed_;
    std::vector<NodeId> doomed_;
    std::vector<Replacement> replacement_of_;
    std::vector<NodeId> replaced_;
};

} // namespace inspector
