#include "core/passes/reinplace/proposals/proposals.h"

#include <algorithm>
#include <array>
#include <deque>
#include <memory>
#include <utility>

#include "core/passes/reinplace/policy.h"
#include "core/passes/reinplace/proposals/allocated_bytes.h"
#include "core/passes/reinplace/proposals/kinds.h"
#include "core/passes/reinplace/proposals/no_proposal.h"

namespace inspector {
namespace {

constexpr std::size_t attempt_limit = 24; ///< runs of the pass for one decision
constexpr std::size_t change_limit = 3;   ///< that are needed together

/// Kinds that leave self's memory in use come first, since they save most; those that give the node memory of its own
/// are enough by themselves.
constexpr std::array<ChangeOffer*, 7> kinds{donate_input,  swap_operands,     move_readers, move_after_readers,
                                            clone_operand, clone_for_readers, return_clone};
constexpr std::array<ChangeOffer*, 2> kinds_alone{convert_self, clone_self};

/// The program with some changes made.
struct Attempt {
    ChangedProgram made;
    std::vector<Change> changes;
};

class Search {
public:
    Search(const ProgramGraph& source, const ReinplaceSession& session, std::uint32_t index)
        : source_(source), session_(session), node_(session.decisions()[index].node) {}

    std::vector<Proposal> run(std::uint32_t index) {
        std::vector<Proposal> found;
        std::deque<Attempt> waiting;
        session_.look_at(index + 1,
                         [&] { waiting = further({{source_, session_.options().donated}, {}}, session_, index); });
        std::int64_t before = 0;
        session_.look_at(static_cast<std::uint32_t>(session_.decision_nodes().size()),
                         [&] { before = allocated_bytes(session_); });
        for (std::size_t tried = 0; !waiting.empty() && tried < attempt_limit; ++tried) {
            Attempt attempt = std::move(waiting.front());
            waiting.pop_front();
            const auto run = ReinplaceSession::start(attempt.made.program, options_for(attempt.made));
            if (!run) continue;
            ReinplaceSession& changed = **run;
            const auto place = std::ranges::find(changed.decision_nodes(), node_);
            const auto decided = static_cast<std::uint32_t>(place - changed.decision_nodes().begin());
            changed.run_to(decided + 1);
            if (is_own_rewrite(changed.decisions()[decided])) {
                changed.run_to_end();
                found.push_back({std::move(attempt.changes), before - allocated_bytes(changed)});
            } else if (attempt.changes.size() < change_limit) {
                std::ranges::move(further(attempt, changed, decided), std::back_inserter(waiting));
            }
        }
        return found;
    }

private:
    /// What a person chose goes with the node, whatever its decision's number is now.
    [[nodiscard]] ReinplaceSession::Options options_for(const ChangedProgram& made) const {
        ReinplaceSession::Options options;
        options.policy = session_.options().policy;
        options.donated = made.donated;
        const auto& before = session_.decision_nodes();
        std::vector<Choice> choice_of(made.program.graph.id_limit(), Choice::policy);
        for (std::uint32_t i = 0; i < before.size(); ++i) {
            Choice choice = session_.choice(i);
            if (session_.options().first && i >= *session_.options().first && choice != Choice::force)
                choice = Choice::skip;
            if (before[i] != node_) choice_of[index_of(before[i])] = choice;
        }
        std::uint32_t number = 0;
        for (const NodeId id : made.program.graph) {
            if (made.program.graph.node(id).opcode != Opcode::call_function) continue;
            if (choice_of[index_of(id)] != Choice::policy) options.choices[number] = choice_of[index_of(id)];
            ++number;
        }
        return options;
    }

    /// The attempt with one more change, in each way that speaks to its refusal.
    static std::deque<Attempt> further(const Attempt& attempt, const ReinplaceSession& session, std::uint32_t index) {
        std::deque<Attempt> more;
        const RefusedNode refused(attempt.made, session, index);
        const auto add = [&](ChangeOffer* kind) {
            for (Change& change : kind(refused)) {
                const bool is_repeated = std::ranges::any_of(attempt.changes, [&](const Change& made) {
                    return made.kind == change.kind &&
                           (made.nodes == change.nodes || made.kind == ChangeKind::swap_operands);
                });
                if (is_repeated) continue;
                Attempt next = attempt;
                change.apply(next.made);
                next.made.program.graph.forget_history();
                next.changes.push_back(std::move(change));
                more.push_back(std::move(next));
            }
        };
        for (ChangeOffer* kind : kinds) add(kind);
        if (attempt.changes.empty())
            for (ChangeOffer* kind : kinds_alone) add(kind);
        return more;
    }

    const ProgramGraph& source_;
    const ReinplaceSession& session_;
    NodeId node_;
};

/// Without those that change more and save no more than another.
std::vector<Proposal> smallest(std::vector<Proposal> found) {
    std::vector<Proposal> kept;
    for (const Proposal& proposal : found)
        if (std::ranges::none_of(found, [&](const Proposal& other) {
                return other.changes.size() < proposal.changes.size() && other.bytes >= proposal.bytes;
            }))
            kept.push_back(proposal);
    return kept;
}

} // namespace

std::vector<NodeId> Proposal::nodes() const {
    std::vector<NodeId> all;
    for (const Change& change : changes)
        for (const NodeId node : change.nodes)
            if (std::ranges::find(all, node) == all.end()) all.push_back(node);
    return all;
}

Sentence Proposal::sentence() const {
    Sentence words;
    for (std::size_t i = 0; i < changes.size(); ++i) {
        if (i > 0) words.push_back({i + 1 == changes.size() ? ", and " : ", ", no_node});
        words.insert(words.end(), changes[i].sentence.begin(), changes[i].sentence.end());
    }
    return words;
}

ChangedProgram Proposal::apply(const ProgramGraph& source, const std::vector<std::string>& donated) const {
    ChangedProgram changed{source, donated};
    for (const Change& change : changes) change.apply(changed);
    changed.program.graph.forget_history();
    return changed;
}

Proposals propose(const ProgramGraph& source, const ReinplaceSession& session, std::uint32_t index) {
    Proposals proposals;
    const bool is_sound = find_policy(session.options().policy)->follows_placements;
    if (is_sound && is_refusal(session, index)) proposals.offers = smallest(Search(source, session, index).run(index));
    std::ranges::stable_sort(proposals.offers, [](const Proposal& a, const Proposal& b) {
        return a.bytes != b.bytes ? a.bytes > b.bytes : a.changes.size() < b.changes.size();
    });
    if (proposals.offers.empty()) proposals.none = why_no_proposal(session, index);
    return proposals;
}

} // namespace inspector
