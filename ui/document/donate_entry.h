// The entry of a context menu that donates an input.
#pragma once

#include "core/graph/graph.h"

class QMenu;

namespace inspector {

class Document;

/// Adds a checkable "Caller Gives It Up (Donate)" where `node` is an input and the policy knows such inputs (sound); else
/// nothing. Taking it starts the session anew.
void addDonateEntry(QMenu& menu, Document& document, NodeId node);

} // namespace inspector
