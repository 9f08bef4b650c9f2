// One question the pass asks of a node. Every check is a class in a file of its own under checks/; a policy is the list
// of checks it asks, in order.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/passes/reinplace/decision.h"
#include "core/passes/reinplace/inductor/operands.h"
#include "core/passes/reinplace/pass_state.h"

namespace inspector {

/// The node a decision is about.
struct Candidate {
    NodeId node = no_node;
    NodeId self = no_node;  ///< args[0] as the graph stands now; no_node where it is no node
    const Target& target;
    AliasSets::Time now = 0;
    /// Later scatters that the rewrite makes superfluous; filled in by the later-use check.
    std::vector<NodeId> superfluous{};
    /// Where the result's values will lie; filled in by the result-layout check.
    std::vector<Placements::Moved> moved{};
    /// What it would write, and what of that stays; filled in by the checks of `inductor`.
    std::optional<Writer> writer{};
};

/// What a check found.
struct Finding {
    enum class Answer : std::uint8_t {
        passes,       ///< nothing against it: the next check is asked
        keeps,        ///< the node stays as it is
        raises,       ///< the pass this policy copies would stop with an error here
        in_place,     ///< the node becomes its in-place variant
        scatter_copy, ///< the scatter becomes a view and a copy_ into it
        redundant,    ///< the node only writes what is there already: self stands for its result
    };
    Answer answer = Answer::passes;
    CheckId check = CheckId::metadata;    ///< as recorded in the decision
    Reason reason = Reason::none;
    std::vector<std::string> fields{};    ///< failed metadata: numel, dtype, internal_overlap
    AliasSets::LaterUse blocked_by{};     ///< one use that keeps the node from being written early

    std::optional<DecisionCondition> condition{}; ///< keeps: at other sizes it would pass
    std::vector<Witness> witnesses{};     ///< evidence, where the policy records it as it goes

    [[nodiscard]] bool decides() const { return answer != Answer::passes; }
};

/// Stateless; one instance serves every session.
class Check {
public:
    virtual ~Check() = default;
    [[nodiscard]] virtual CheckId id() const = 0;
    /// What holds of a node that passes: a sentence for people.
    [[nodiscard]] virtual std::string_view guarantees() const = 0;
    [[nodiscard]] virtual Finding ask(PassState& state, Candidate& candidate) const = 0;
};

} // namespace inspector
