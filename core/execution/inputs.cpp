#include "core/execution/inputs.h"

#include "core/libtorch/library.h"

namespace inspector {

Result<RunInputs> RunInputs::make(const Program& program, std::size_t graph, const RunOptions& options) {
    return ask_libtorch(&LibTorch::make_run_inputs, program, graph, options);
}

} // namespace inspector
