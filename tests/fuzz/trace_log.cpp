// TORCH_TRACE logs, read at once, and read graph by graph.
#include "tests/fuzz/target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    inspector::ReadOptions options = fuzz::small_limits();
    fuzz::check_program(inspector::read_trace_log(fuzz::as_text(data, size), options));
    options.read_at_once = 0;
    const auto listed = inspector::read_trace_log(fuzz::as_text(data, size), options);
    fuzz::check_program(listed);
    if (!listed || listed->graphs.empty()) return 0;
    const auto read = inspector::read_graph(*listed, listed->graphs.size() - 1, options);
    if (!read) fuzz::require(!read.error().reason.empty(), "an error has a reason");
    else fuzz::check_program(read->program);
    return 0;
}
