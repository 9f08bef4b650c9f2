// Random programs with symbolic sizes, as torch.export writes them: for tests that decide once and run at many sizes.
#pragma once

#include <cstdint>

#include "core/graph/program.h"

namespace inspector {

/// The same program for the same seed, on every machine. Inputs are [s0, s1], [s0, 2*s1], [1, s1] and [s1] with s0 and s1
/// from 0 to 9, or s0 from 1 where a first row is taken; every node has metadata for all sizes. Drawn from: element-wise ops with and without broadcasting, slices and
/// selects with and without symbols, halves, transposes, expand, view, cat, scatters, sums, several outputs, copy_ into
/// an input at the end.
[[nodiscard]] Program random_symbolic_program(std::uint64_t seed, int operations = 12);

} // namespace inspector
