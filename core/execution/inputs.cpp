#include "core/execution/inputs.h"

#include "core/libtorch/library.h"

namespace inspector {

Result<RunInputs> RunInputs::make(const Program& program, std::size_t graph, const RunOptions& options) {
    const auto& torch = libtorch();
    if (!torch) return tl::unexpected(torch.error());
    return (*torch)->make_run_inputs(program, graph, options);
}

} // namespace inspector
