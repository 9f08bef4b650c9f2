// A node as text for the clipboard: its name, its line, the smallest graph that is decided so, a report of a bug.
#pragma once

#include <array>

#include <QString>

#include "core/graph/result.h"
#include "ui/document/document.h"

class QMenu;

namespace inspector {

enum class CopyForm { name, fx_line, minimal_graph, bug_report };
inline constexpr std::array copy_forms{CopyForm::name, CopyForm::fx_line, CopyForm::minimal_graph, CopyForm::bug_report};

/// "Copy minimal graph".
[[nodiscard]] QString copyTitle(CopyForm form);
/// Why `node` cannot be copied so now, as a clause; empty: it can.
[[nodiscard]] QString whyNotCopy(const Document& document, NodeId node, CopyForm form);
/// Precondition: whyNotCopy() is empty. The minimal graph is searched for, which may take a second. Error: there is none.
[[nodiscard]] Result<QString> copyText(const Document& document, NodeId node, CopyForm form);

/// Entries for `node` in a context menu; what has to be searched for is the
/// window's to copy, see Document::copyWanted().
void addCopyEntries(QMenu& menu, Document& document, NodeId node);

} // namespace inspector
