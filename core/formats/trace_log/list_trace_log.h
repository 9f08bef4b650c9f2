// The graphs of a TORCH_TRACE log, found but not read.
#pragma once

#include <string_view>

#include "core/formats/reader.h"

namespace inspector::trace_log {

/// One unread graph for each record whose payload is FX text, in the log's order. kind: the record's or artifact's name.
/// id: "0/0/aot_forward_graph", the second of that name ending in "_1"; where no compile id is given the name alone.
/// What is damaged is noted with its line. Errors: reading was cancelled; the graphs' texts together are beyond the limit,
/// or there are more of them than the limit.
[[nodiscard]] Result<Program> list_trace_log(std::string_view bytes, const ReadOptions& options);

} // namespace inspector::trace_log
