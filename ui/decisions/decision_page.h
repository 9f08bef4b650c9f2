// The decision on one node as a page: what was decided, the checks with their evidence, what changes.
#pragma once

#include <QPalette>
#include <QString>

#include "core/passes/reinplace/proposals/proposals.h"
#include "ui/document/document.h"

namespace inspector {

/// Rich text. Links: "node:N" for evidence, "decide:N" to look at another decision, "through:N" to decide up to it,
/// "leave:N" to give a choice back to the policy, "propose:N" to try out changes, whose result is `proposals` then. Images: "icon:NAME/COLOUR" (a stroke icon), "verdict:MARK".
[[nodiscard]] QString decisionPage(const Document& document, NodeId node, const QPalette& palette,
                                   const Proposals* proposals = nullptr);

/// Nodes that are evidence in the decision on `node`, or in the checks made of it so far, in the order the page numbers
/// them.
[[nodiscard]] std::vector<NodeId> evidenceNodes(const Document& document, NodeId node);

/// Why nobody can ask what refused `node`, as a clause; empty where it was refused, or is not decided yet.
[[nodiscard]] QString whyNotAsk(const Document& document, NodeId node);

/// Why nobody can force a rewrite of `node`; empty where forcing is possible.
[[nodiscard]] QString whyNotForce(const Document& document, NodeId node);

} // namespace inspector
