// Random functional programs, as torch.export and make_fx would write them: for tests that run a graph before and after.
#pragma once

#include <cstdint>
#include <functional>

#include "core/graph/program.h"

namespace inspector {

struct RandomProgramOptions {
    int operations = 20;         ///< how many are drawn; a drawn pattern may add several nodes
    bool mutating = false;       ///< in-place ops too
    bool training = false;       ///< a third of the steps write: in place, out= or foreach, to values, inputs, views of views
    bool unit_sizes = false;     ///< all inputs but the first have dimensions of size 1
    bool epilogue_copies = true; ///< inputs may be overwritten at the end by copy_
};

/// The same program for the same seed and options, on every machine. Complete metadata: sizes, strides, offsets.
/// Drawn from: element-wise ops with and without broadcasting, reductions, views of every kind (as_strided, expand,
/// unfold, split, unbind, view.dtype, view_as_real among them), scatters (of the value's own region, of another one, of
/// another base), casts, complex numbers, index_put, addmm and baddbmm, cat, and several outputs.
[[nodiscard]] Program random_program(std::uint64_t seed, const RandomProgramOptions& options = {});

/// Without the calls whose results nobody needs; in-place ones stay.
[[nodiscard]] Program without_dead_code(Program program);

/// The smallest program found that still satisfies `fails`, by dropping outputs and nodes and replacing values by
/// earlier ones of the same layout. `program` must satisfy it.
[[nodiscard]] Program shrink(Program program, const std::function<bool(const Program&)>& fails);

} // namespace inspector
