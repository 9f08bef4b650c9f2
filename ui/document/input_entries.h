// The entries of a context menu that are about an input.
#pragma once

#include "core/graph/graph.h"

class QMenu;

namespace inspector {

class Document;

/// Where `node` is an input: a checkable "Caller Gives It Up (Donate)" if the policy knows such inputs (sound), and "Give
/// Its Type…", or "Change Its Type…", if the file does not say it; else nothing. Taking one starts the session anew.
void addInputEntries(QMenu& menu, Document& document, NodeId node);

} // namespace inspector
