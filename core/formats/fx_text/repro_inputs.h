// Inputs of a fx_graph_runnable.py (TORCH_COMPILE_DEBUG, the minifier): its graph has no shapes, but its load_args
// has.
//
//     def load_args(reader):
//         buf0 = reader.storage(None, 2048, device=device(type='cuda', index=0))
//         reader.tensor(buf0, (s77, 16), (16, 1), dtype=torch.float16, storage_offset=8)  # arg0_1
//         reader.symint(32, expr='s77')  # arg1_1
#pragma once

#include "core/formats/fx_text/source_text.h"
#include "core/formats/reader.h"

namespace inspector::fx_text {

[[nodiscard]] bool is_repro_inputs_start(std::string_view line);

/// Reads the function whose `def` is line `line`, which moves behind it, and gives the placeholders of `graph` that
/// have no metadata their layouts, and `graph` the hints of symbols. What is left out there is float32, contiguous, on
/// the CPU, at offset 0. Lines of another form are passed over. Source: InputWriter of torch/_dynamo/debug_utils.py.
void read_repro_inputs(const SourceText& source, std::size_t& line, const ReadLimits& limits, ProgramGraph& graph);

} // namespace inspector::fx_text
