// There and back: a training graph made functional, then reinplaced. Which of its mutations came back, which did not, and
// why; and which nodes of the three graphs belong together.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/passes/functionalize/session.h"
#include "core/passes/reinplace/session.h"

namespace inspector {

enum class RoundTripOutcome : std::uint8_t {
    in_place,     ///< written into the same memory again, without a copy
    copied_back,  ///< computed into new memory, then copied to where it belongs
    out_of_place, ///< its result, or a copy of what it is part of, stays in new memory
    dead,         ///< nobody reads what it wrote: the functional graph does without
};
[[nodiscard]] std::string_view text_id(RoundTripOutcome outcome);

struct RoundTripMutation {
    std::uint32_t step = 0;                 ///< of the functionalization
    NodeId node = no_node;
    RoundTripOutcome outcome = RoundTripOutcome::out_of_place;
    /// The re-inplacing pass on the functional call; explain() says why. nullopt: dead.
    std::optional<std::uint32_t> decision;
    /// On the scatters and copies that write it back, in program order.
    std::vector<std::uint32_t> write_back;
};

/// Nodes that stand for one node of the source graph, in program order of each graph.
struct RoundTripRow {
    NodeId source = no_node;
    std::vector<NodeId> functional;
    std::vector<NodeId> reinplaced;
};

struct RoundTrip {
    std::vector<RoundTripMutation> mutations; ///< one for each step
    std::vector<RoundTripRow> rows;           ///< one for each node of the source graph, in program order

    [[nodiscard]] std::size_t count(RoundTripOutcome outcome) const;
};

/// Precondition: `reinplace` was started on functional.result(); both stand at their end.
[[nodiscard]] RoundTrip round_trip(const FunctionalizeSession& functional, const ReinplaceSession& reinplace);

} // namespace inspector
