// What stands against writing a result into self, as three places in the graph.
//
//     %c = clone(%x)      definition: what the reader should see
//     %m = mul(%c, 2)     write: would put its result there
//     %s = sum(%c)        reader: comes after it
#pragma once

#include <cstdint>
#include <optional>

#include "core/passes/reinplace/sentence.h"
#include "core/passes/reinplace/session.h"

namespace inspector {

struct Conflict {
    NodeId reader = no_node;     ///< no_node: the caller, who sees the memory when the graph has run
    NodeId write = no_node;      ///< the node that would write too early or too late
    NodeId definition = no_node; ///< what wrote or made the value the reader should see
    friend bool operator==(const Conflict&, const Conflict&) = default;
};

/// Of a refusal of a policy that follows placements (`sound`). nullopt where nobody reads what would be written: the
/// node was not refused, or its result does not fit into self at all (metadata, or a layout that is not certain).
/// Precondition: decision `index` is made.
[[nodiscard]] std::optional<Conflict> find_conflict(const ReinplaceSession& session, std::uint32_t index);

/// "%sum reads what %clone made, but %mul would have written there before".
[[nodiscard]] Sentence explain_conflict(const ReinplaceSession& session, const Conflict& conflict);

} // namespace inspector
