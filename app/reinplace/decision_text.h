// Decisions as text for people.
#pragma once

#include <optional>
#include <string>

#include "core/passes/reinplace/session.h"

namespace inspector {

/// A heading with the summary, then one line per decision. Ends with a newline.
[[nodiscard]] std::string decisions_text(const std::string& file, const std::string& graph, const ReinplaceSession& session,
                                         std::optional<double> pass_ms);

/// A paragraph on one node: what was decided, each check with its evidence, what changes in the graph; for a refusal, the
/// conflict and the changes that would lift it. `graph` is what the session was started with. Ends with a newline.
[[nodiscard]] std::string node_text(const std::string& file, const ProgramGraph& graph, const ReinplaceSession& session,
                                    NodeId node);

} // namespace inspector
