// What would let a refused node be reinplaced: changes to the program, each tried out before it is offered.
#pragma once

#include <cstdint>
#include <vector>

#include "core/passes/reinplace/proposals/change.h"
#include "core/passes/reinplace/proposals/conflict.h"
#include "core/passes/reinplace/proposals/refusal.h"
#include "core/passes/reinplace/session.h"

namespace inspector {

/// A change, or several that are needed together, in the order in which they are made.
struct Proposal {
    std::vector<Change> changes;
    std::int64_t bytes =
        0; ///< net: allocated by the rewritten graph without the proposal, less what it allocates with it

    [[nodiscard]] ChangeKind kind() const { return changes.front().kind; }
    /// Nodes it names, each once; all are nodes of the original graph.
    [[nodiscard]] std::vector<NodeId> nodes() const;
    [[nodiscard]] Sentence sentence() const; ///< "mark %x as donated, and move %sum before %mul"
    /// The program with the changes made. `source` is the graph the session was started with. Nodes that were there
    /// keep their ids. The pass on it, with `donated` as its option, reinplaces the node.
    [[nodiscard]] ChangedProgram apply(const ProgramGraph& source, const std::vector<std::string>& donated) const;
};

struct Proposals {
    std::vector<Proposal> offers; ///< most bytes first; of equal ones, fewest changes first
    Sentence none;                ///< why there is none; empty where there are offers
};

/// Proposals for decision `index`, which must be made. `source` is the graph the session was started with.
///
/// Each is proven: the changes were made to a copy, and the session's policy, with the session's choices, reinplaced
/// the node there. Every change by itself leaves what the graph computes as it was, bit for bit, and which returned
/// values share memory; a donated input is the caller's to give. Costs a run of the pass per attempt, of which there
/// are a few dozen at most: for a decision somebody looks at. For the policy `sound`; others get none.
[[nodiscard]] Proposals propose(const ProgramGraph& source, const ReinplaceSession& session, std::uint32_t index);

} // namespace inspector
