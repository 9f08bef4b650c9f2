#include "core/passes/functionalize/round_trip.h"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace inspector {
namespace {

class Comparison {
public:
    Comparison(const FunctionalizeSession& functional, const ReinplaceSession& reinplace)
        : functional_(functional), reinplace_(reinplace) {
        for (const Decision& decision : reinplace.decisions()) decisions_.emplace(decision.node, decision.index);
    }

    RoundTripMutation mutation(const FunctionalizeStep& step) const {
        RoundTripMutation found{step.index, step.node, RoundTripOutcome::dead, {}, {}};
        if (!functional_.graph().contains(step.node)) return found;
        found.decision = decision_on(step.node);
        for (const AddedNode& added : step.added)
            if (added.role == AddedRole::scatter || added.role == AddedRole::layout) add(found, added.node);
        for (const WrittenInput& input : functional_.ending()->inputs)
            if (std::ranges::find(step.values, input.value) != step.values.end()) add(found, input.copy);
        found.outcome = outcome(found);
        return found;
    }

    std::vector<RoundTripRow> rows() const {
        std::vector<RoundTripRow> rows;
        std::unordered_map<std::uint32_t, std::size_t> by_source;
        for (const NodeId id : functional_.original()) {
            by_source.emplace(index_of(id), rows.size());
            rows.push_back({id, {}, {}});
        }
        for (const NodeId id : functional_.graph())
            rows[by_source.at(index_of(functional_.source_of(id)))].functional.push_back(id);
        const auto created = created_for();
        for (const NodeId id : reinplace_.graph()) {
            const auto made = created.find(index_of(id));
            const NodeId functional = made != created.end() ? made->second : id;
            rows[by_source.at(index_of(functional_.source_of(functional)))].reinplaced.push_back(id);
        }
        return rows;
    }

private:
    std::optional<std::uint32_t> decision_on(NodeId node) const {
        const auto found = decisions_.find(node);
        return found == decisions_.end() ? std::nullopt : std::optional(found->second);
    }

    void add(RoundTripMutation& mutation, NodeId node) const {
        if (const auto decision = decision_on(node)) mutation.write_back.push_back(*decision);
    }

    RoundTripOutcome outcome(const RoundTripMutation& mutation) const {
        const auto verdict = [&](std::uint32_t index) { return reinplace_.decisions()[index].verdict; };
        const bool is_written = mutation.decision && (verdict(*mutation.decision) == Verdict::reinplaced ||
                                                      verdict(*mutation.decision) == Verdict::scatter_to_copy ||
                                                      verdict(*mutation.decision) == Verdict::deleted);
        bool is_gone = true, is_in_memory = true;
        for (const std::uint32_t index : mutation.write_back) {
            const bool copies_in_place = verdict(index) == Verdict::scatter_to_copy || verdict(index) == Verdict::reinplaced ||
                                         reinplace_.decisions()[index].target == "aten.copy_.default";
            is_gone = is_gone && verdict(index) == Verdict::deleted;
            is_in_memory = is_in_memory && (verdict(index) == Verdict::deleted || copies_in_place);
        }
        if (is_written && is_gone) return RoundTripOutcome::in_place;
        return is_in_memory && !mutation.write_back.empty() ? RoundTripOutcome::copied_back : RoundTripOutcome::out_of_place;
    }

    /// Each scatter that became a copy made two nodes, a view and a copy_, in order of the decisions.
    std::unordered_map<std::uint32_t, NodeId> created_for() const {
        std::unordered_map<std::uint32_t, NodeId> created;
        auto next = static_cast<std::uint32_t>(reinplace_.original().id_limit());
        for (const Decision& decision : reinplace_.decisions()) {
            if (decision.verdict != Verdict::scatter_to_copy) continue;
            created.emplace(next++, decision.node);
            created.emplace(next++, decision.node);
        }
        return created;
    }

    const FunctionalizeSession& functional_;
    const ReinplaceSession& reinplace_;
    std::unordered_map<NodeId, std::uint32_t> decisions_; ///< by node
};

} // namespace

std::string_view text_id(RoundTripOutcome outcome) {
    constexpr std::array ids{"in_place", "copied_back", "out_of_place", "dead"};
    return ids[static_cast<std::size_t>(outcome)];
}

std::size_t RoundTrip::count(RoundTripOutcome outcome) const {
    return static_cast<std::size_t>(std::ranges::count(mutations, outcome, &RoundTripMutation::outcome));
}

RoundTrip round_trip(const FunctionalizeSession& functional, const ReinplaceSession& reinplace) {
    const Comparison comparison(functional, reinplace);
    RoundTrip result;
    for (const FunctionalizeStep& step : functional.steps()) result.mutations.push_back(comparison.mutation(step));
    result.rows = comparison.rows();
    return result;
}

} // namespace inspector
