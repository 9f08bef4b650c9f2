// Everything known of one node, as a page.
#pragma once

#include <QPalette>
#include <QString>

#include "ui/document/document.h"

namespace inspector {

/// Rich text; nodes are links "node:N".
[[nodiscard]] QString nodePage(const Document& document, NodeId node, const QPalette& palette);

} // namespace inspector
