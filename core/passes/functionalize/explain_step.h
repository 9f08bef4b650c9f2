// Sentences made from the records of functionalization.
#pragma once

#include <string>

#include "core/passes/functionalize/session.h"
#include "core/passes/reinplace/sentence.h"

namespace inspector {

/// Why the session goes no further, without the node's name and a final period. Precondition: refusal() is not none.
[[nodiscard]] std::string explain_refusal(const FunctionalizeSession& session);

/// "add_ on %select becomes add; select_scatter writes it back into %clone; 2 nodes read the new values". Nodes are those of
/// session.graph().
[[nodiscard]] Sentence explain(const FunctionalizeSession& session, const FunctionalizeStep& step);

} // namespace inspector
