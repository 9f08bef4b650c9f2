// What somebody has done with a graph, as JSON.
#pragma once

#include <string>

#include "core/formats/session_document/json_document.h"
#include "core/graph/saved_session.h"

namespace inspector::session_document {

/// Decisions one a line. `graph`: where the session's graph stands in the document.
[[nodiscard]] std::string print_session(const SavedSession& saved, std::size_t graph);
[[nodiscard]] SavedSession read_session(const Json& json);

} // namespace inspector::session_document
