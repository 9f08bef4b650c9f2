// From the text that a log holds of a graph to the graph.
#pragma once

#include "core/formats/reader.h"

namespace inspector::trace_log {

/// Reads every graph of `program` that is unread, or none where their texts are longer than options.read_at_once. One
/// that cannot be read is taken out and noted. Error: none of them can be read, or reading was cancelled.
[[nodiscard]] Result<void> read_graphs(Program& program, const ReadOptions& options);

} // namespace inspector::trace_log
