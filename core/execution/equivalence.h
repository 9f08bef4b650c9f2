// Do two forms of a graph do the same? Found out by running both on the same inputs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/execution/inputs.h"
#include "core/execution/run_options.h"
#include "core/graph/program.h"

namespace inspector {

/// The first thing a caller could observe to differ.
struct Difference {
    enum class Kind : std::uint8_t {
        fails_to_run, ///< the rewritten graph raises, the original does not
        output_count, output_type, output_value, output_strides, output_aliasing, input_value,
    };
    Kind kind = Kind::output_value;
    std::size_t position = 0; ///< which output or input
    int call = 1;             ///< 2: only seen when the graph is called again
    std::string sentence;     ///< "output 0 differs: element [2, 3] is 1.5 before and 2.5 after"
    // The sentence's parts, for tables; those it does not have are empty.
    std::string where{};      ///< "output 0", "input x"
    std::string element{};    ///< index of the first element that differs: "[2, 3]"; "[]" of a scalar
    std::string before{};     ///< that element, or the strides, type or sizes
    std::string after{};
};

[[nodiscard]] std::string_view text_id(Difference::Kind kind);

struct Comparison {
    std::optional<Difference> difference;  ///< nullopt: nothing differs
    std::optional<Error> cannot_run;       ///< the original itself does not run; nothing was compared
    std::int64_t peak_before = 0;          ///< measured bytes, inputs not counted
    std::int64_t peak_after = 0;
    std::size_t outputs = 0;               ///< how many were compared
    std::vector<std::size_t> outputs_of_nan; ///< those in which no element is a number: any other such is equal
    std::size_t inputs = 0;                ///< placeholders and attributes, without donated ones
    int calls = 0;                         ///< how often both were run
};

/// Runs program.graphs[index].graph and `rewritten` on copies of `inputs`, twice each (once where inputs are donated), and
/// compares bit for bit (a NaN as any other), or by options.tolerance: outputs, what became of the inputs, all output strides (those
/// of dimensions of size 1 too), and which outputs share storage with each other and with inputs. Error: cancelled, or the
/// memory limit.
[[nodiscard]] Result<Comparison> compare_by_running(const Program& program, std::size_t index, const Graph& rewritten,
                                                    const RunInputs& inputs, const RunOptions& options);

/// The same of two programs with the same inputs whose graphs may return the final values of inputs they write in one and
/// write them in the other: what is returned to the caller, and what becomes of the inputs, is compared, but
/// for strides of dimensions of size 1, which other operators may set otherwise. Whether an output
/// shares storage with an input is not compared where the input is written back from an output in one program only.
[[nodiscard]] Result<Comparison> compare_programs(const Program& before, const Program& after, std::size_t index,
                                                  const RunInputs& inputs, const RunOptions& options);

} // namespace inspector
