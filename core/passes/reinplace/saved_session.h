// A session as a record by names, and back: what a document keeps of it.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "core/graph/saved_session.h"
#include "core/passes/reinplace/session.h"

namespace inspector {

/// `graph`: of the program the session is on. Where the file came from is the caller's to add.
[[nodiscard]] SavedSession save_session(const ReinplaceSession& session, std::size_t graph, NodeId selected);

/// How the session decided: policy, choices, donated inputs. Errors: an unknown policy or choice, a choice for a node
/// that no decision is made on, a donated name that is no input of `source`.
[[nodiscard]] Result<ReinplaceSession::Options> saved_options(const ProgramGraph& source, const SavedSession& saved);

struct RestoredSession {
    std::unique_ptr<ReinplaceSession> session; ///< where the saved one stood
    NodeId selected = no_node;
    std::vector<std::string> notes;            ///< decisions that are made otherwise now, for a person
};
/// Errors as of saved_options().
[[nodiscard]] Result<RestoredSession> restore_session(const ProgramGraph& source, const SavedSession& saved);

/// The ranges that were asked for, in order of their symbols: those of `graph`, which the document has, that the file does not say.
[[nodiscard]] std::vector<SymbolRange> asked_ranges(const ProgramGraph& graph, const SavedSession& saved);
/// `graph` gets the file's ranges again.
void take_file_ranges(ProgramGraph& graph, const SavedSession& saved);

/// The names of decisions that `session`, which has made them, makes otherwise than `saved` says; one sentence. Empty:
/// none.
[[nodiscard]] std::string changed_decisions(const ReinplaceSession& session, const SavedSession& saved);

} // namespace inspector
