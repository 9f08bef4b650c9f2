// A TORCH_TRACE log taken apart: one record per event.
//
//     V1129 11:30:02.583000 16750 torch/_dynamo/output_graph.py:2841] {"dynamo_output_graph": {…}, "frame_id": 0, …}
//     <TAB>payload line 1
//     <TAB>payload line 2
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "core/formats/reader.h"

namespace inspector::trace_log {

/// A record that may hold a graph, or names the torch that wrote the log.
struct TraceRecord {
    std::uint32_t line = 0;  ///< of its header in the file, from 1; the payload begins on the next
    std::string kind;        ///< the first key; an artifact's name
    std::string name;        ///< that the metadata gives; an artifact's and a graph_dump's
    std::string compile_id;  ///< as torch prints it: "0/0", "1/0_2", "!0", "!0/1/0"; empty where none is given
    std::string payload;     ///< lines without their TAB, joined by '\n'; bytes as they are in the file
};

/// Whether the text is a TORCH_TRACE log: one of its first lines is a record's header.
[[nodiscard]] bool is_trace_log(std::string_view bytes);

/// Calls `found` for each record whose kind or name has the word "graph", and for "torch_version", in the file's order.
/// What is damaged is told to `problem` as "line 12: reason": JSON that is broken or nested too deep (the record is
/// passed over), lines that belong to no record, a payload that is not the one whose MD5 sum the record gives. JSON of
/// other records is not looked at. Error: reading was cancelled.
[[nodiscard]] Result<void> for_each_record(std::string_view bytes, const ReadOptions& options,
                                           const std::function<void(TraceRecord)>& found,
                                           const std::function<void(std::string)>& problem);

} // namespace inspector::trace_log
