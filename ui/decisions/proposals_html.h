// What stands against a refused rewrite, and what would let it happen.
#pragma once

#include <QString>

#include "core/passes/reinplace/proposals/proposals.h"
#include "ui/appearance/theme.h"
#include "ui/document/document.h"

namespace inspector {

/// Rich text; empty where the decision on `node` is no refusal of sound. `found`: nullptr until somebody asks, since
/// each proposal is tried out, which on thousands of nodes takes a while; then there is a link "propose:N" to ask.
[[nodiscard]] QString proposalsHtml(const Document& document, NodeId node, const Proposals* found, const ThemeColours& colours);

} // namespace inspector
