#include "core/execution/equivalence.h"

#include <array>

#include "core/libtorch/library.h"

namespace inspector {

std::string_view text_id(Difference::Kind kind) {
    constexpr std::array ids{"fails_to_run", "output_count", "output_type", "output_value", "output_strides", "output_aliasing", "input_value"};
    return ids[static_cast<std::size_t>(kind)];
}

Result<Comparison> compare_by_running(const Program& program, std::size_t index, const Graph& rewritten,
                                      const RunInputs& inputs, const RunOptions& options) {
    return ask_libtorch(&LibTorch::compare_by_running, program, index, rewritten, inputs, options);
}

Result<Comparison> compare_programs(const Program& before, const Program& after, std::size_t index, const RunInputs& inputs,
                                    const RunOptions& options) {
    return ask_libtorch(&LibTorch::compare_programs, before, after, index, inputs, options);
}

} // namespace inspector
