// The re-inplacing pass as a session that can be stepped forward and back, by check or by node.
// Stepping to the end and running at once give the same graph: there is one engine.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/storages.h"
#include "core/analysis/value_facts.h"
#include "core/graph/program.h"
#include "core/passes/reinplace/decision.h"

namespace inspector {

/// What a policy says of itself: its id ("torch-fx", "sound") and one sentence.
struct PolicyInfo { std::string id; std::string about; };
[[nodiscard]] const std::vector<PolicyInfo>& policies();

/// One check of one decision, as the decision panel shows it. `skipped`: an earlier check decided.
struct CheckStep {
    CheckId check = CheckId::metadata;
    enum class State : std::uint8_t { pending, passed, failed, skipped } state = State::pending;
    std::vector<Witness> witnesses;   ///< what the answer rests on; empty while pending or skipped
};

class ReinplaceSession {
public:
    struct Options {
        std::string policy = "torch-fx";
        std::optional<std::uint32_t> first;        ///< decide as the policy only for the first N decisions, keep the rest
        std::map<std::uint32_t, Choice> choices;   ///< by decision number
        std::vector<std::string> donated;          ///< placeholders the caller gives up; torch-fx knows no such thing
    };

    /// Copies the graph; `source` need not outlive the session. Errors: unknown policy, `donated` names no placeholder.
    [[nodiscard]] static Result<std::unique_ptr<ReinplaceSession>> start(const ProgramGraph& source, Options options);
    ~ReinplaceSession();

    // --- where we are ----------------------------------------------------------------------------------------------
    [[nodiscard]] const Graph& graph() const;          ///< as rewritten so far; at the end, doomed scatters are erased
    [[nodiscard]] const Graph& original() const;
    [[nodiscard]] const GraphFacts& facts() const;     ///< of the original graph
    [[nodiscard]] const Storages& storages() const;    ///< of the original graph
    [[nodiscard]] const std::vector<NodeId>& decision_nodes() const; ///< every call_function node, in order of decision
    [[nodiscard]] std::uint32_t position() const;      ///< number of decisions made; == decision_nodes().size() at the end
    [[nodiscard]] bool at_end() const;
    [[nodiscard]] std::uint32_t checks_asked() const;  ///< of the current node, by step_check()
    [[nodiscard]] NodeId current() const;              ///< node the next step decides; no_node at the end
    /// Decisions made so far, in order. Index i is decision i. Of what blocks a later_use refusal they hold one use, and
    /// nothing of other evidence: see complete().
    [[nodiscard]] const std::vector<Decision>& decisions() const;
    /// Decision `index` with all witnesses, and `detail` as recorded decisions have it: every blocking node by name, the
    /// new target. Costs what it gives. Precondition: made.
    [[nodiscard]] Decision complete(std::uint32_t index) const;
    /// The checks of decision `index`, with what each found. For the current node: those stepped so far, rest pending.
    [[nodiscard]] std::vector<CheckStep> checks(std::uint32_t index) const;
    /// The node was made superfluous by a decision and is erased when the pass ends.
    [[nodiscard]] bool is_superfluous(NodeId node) const;
    /// A refusal that costs memory: the operator has an in-place form, but self may not be overwritten.
    [[nodiscard]] bool is_miss(const Decision& decision) const;

    // --- moving ----------------------------------------------------------------------------------------------------
    bool step_check();                 ///< one check of the current node; after its last one, the decision is made
    bool step_node();                  ///< false at the end
    bool step_back();                  ///< to before the last decision, or before the checks stepped in this one
    bool to_next_rewrite();            ///< stops after the next decision that changes the graph; false: none came
    bool to_next_miss();               ///< stops after the next refusal that costs bytes; false: none came
    void run_to(std::uint32_t position);   ///< forward or back; beyond the end means the end
    void run_to_end();
    void restart();
    /// Calls `look` as if the session stood at `position`, then puts it back where it was, checks stepped included. For
    /// questions about another moment; what `look` keeps of graph() or decisions() must be copies.
    void look_at(std::uint32_t position, const std::function<void()>& look) const;

    // --- choosing --------------------------------------------------------------------------------------------------
    /// Sets what happens at decision `index` and, where it is already made, redoes from there to where we were.
    ///
    /// accept: as the policy decides. skip: the node stays as it is, whatever the policy says. force: the rewrite is made
    /// although a check failed, as if it had passed; where the operator has no form that writes into self, the node is
    /// kept and the check says so.
    void choose(std::uint32_t index, Choice choice);
    [[nodiscard]] Choice choice(std::uint32_t index) const;
    [[nodiscard]] const Options& options() const;

private:
    ReinplaceSession();
    struct State;
    std::unique_ptr<State> state_;
};

struct ReinplaceSummary {
    std::size_t nodes = 0;        ///< placeholders + body + output, before
    std::size_t candidates = 0;   ///< decisions that got past the question whether the operator can be reinplaced at all
    std::size_t reinplaced = 0;   ///< reinplaced and scatter_to_copy
    std::int64_t bytes_saved = 0; ///< of results that need no storage of their own any more
    std::int64_t peak_before = 0; ///< simulated: storages live from definition to last use, inputs always live
    std::int64_t peak_after = 0;
};
/// Of the decisions made so far.
[[nodiscard]] ReinplaceSummary summarize(const ReinplaceSession& session);

} // namespace inspector
