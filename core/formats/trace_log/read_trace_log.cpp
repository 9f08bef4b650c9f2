#include "core/formats/reader.h"
#include "core/formats/trace_log/list_trace_log.h"
#include "core/formats/trace_log/logged_graphs.h"

namespace inspector {

Result<Program> read_trace_log(std::string_view bytes, const ReadOptions& options) {
    if (bytes.size() > options.limits.text_bytes)
        return fail({}, "the text is longer than " + std::to_string(options.limits.text_bytes) + " bytes");
    auto program = trace_log::list_trace_log(bytes, options);
    if (!program) return program;
    if (program->graphs.empty())
        return fail({}, program->notes.empty() ? "this TORCH_TRACE log holds no FX graph"
                                               : "this TORCH_TRACE log holds no FX graph that can be read; " + program->notes.front());
    if (auto done = trace_log::read_graphs(*program, options); !done) return tl::unexpected(done.error());
    return program;
}

} // namespace inspector
