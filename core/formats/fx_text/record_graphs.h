// The graphs in one message of a log, or in a text without log prefixes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/formats/fx_text/log_records.h"
#include "core/formats/reader.h"

namespace inspector::fx_text {

/// A graph without a parent and the graphs nested in it; parents are indices into `graphs`. Ids are not set yet.
struct GraphTree {
    std::uint32_t line = 0; ///< it begins at
    std::vector<ProgramGraph> graphs;
};

struct RecordGraphs {
    std::vector<GraphTree> trees;
    std::vector<std::string> notes;
    std::optional<Error> first_error; ///< of a graph that is left out
    std::string torch_version;        ///< empty where the text does not say
};

/// Kinds and titles are those of read_fx_text (core/formats/reader.h). Of a logged record, and behind a header line
/// " ===== … =====", a graph that cannot be read is left out and noted; anywhere else it is an error.
/// graphs_before: of the text, in records before this one; they count against the limit of graphs.
[[nodiscard]] Result<RecordGraphs> read_record(const LogRecord& record, std::size_t graphs_before,
                                               const ReadOptions& options);

} // namespace inspector::fx_text
