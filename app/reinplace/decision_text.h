// Decisions as text for people.
#pragma once

#include <optional>
#include <string>

#include "core/passes/reinplace/session.h"

namespace inspector {

/// A heading with the summary, then one line per decision. Ends with a newline.
[[nodiscard]] std::string decisions_text(const std::string& file, const std::string& graph, const ReinplaceSession& session,
                                         std::optional<double> pass_ms);

/// A paragraph on one node: what was decided, each check with its evidence, and what changes in the graph.
/// Ends with a newline.
[[nodiscard]] std::string node_text(const std::string& file, const std::string& graph, const ReinplaceSession& session,
                                    NodeId node);

} // namespace inspector
