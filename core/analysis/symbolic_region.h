// Which cells views with symbolic sizes cover, compared for all values of the symbols.
//
// Two views of one storage are taken apart into digits, one for each stride, as a number into tens and units:
//
//     x[:, :s0] and x[:, s0:] of a [s1, 2*s0] tensor      strides 2*s0 and 1
//     rows    0 … s1-1   and 0 … s1-1      meet
//     columns 0 … s0-1   and s0 … 2*s0-1   lie apart, and each fits into a row: so do the views
//
// Where that is no proof, the ends of both are compared.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/analysis/value_facts.h"
#include "core/graph/program.h"
#include "core/graph/size_order.h"

namespace inspector {

/// Counts elements.
struct SymbolicLayout {
    std::vector<SymbolicSize> sizes, strides;
    SymbolicSize offset;
    std::int64_t element_size = 4;
};

struct SizeAnswer {
    Truth truth = Truth::unknown;
    std::vector<SizeCondition> if_all{}; ///< depends: it holds wherever all of these do
    bool is_exact = false;               ///< and nowhere else
};

/// No element of one shares a byte with one of the other.
[[nodiscard]] SizeAnswer lie_apart(const SymbolicLayout& a, const SymbolicLayout& b, const SizeOrder& order);
/// Every index of the view has a cell of its own.
[[nodiscard]] SizeAnswer has_own_cells(const SymbolicLayout& view, const SizeOrder& order);
/// Same rank, and every size equal.
[[nodiscard]] SizeAnswer have_same_sizes(const std::vector<SymbolicSize>& a, const std::vector<SymbolicSize>& b, const SizeOrder& order);
/// Index by index the same cells, for all sizes.
[[nodiscard]] bool surely_same_place(const SymbolicLayout& a, const SymbolicLayout& b, const SizeOrder& order);
/// Sizes, and strides of dimensions that may be above 1, are the same for all sizes.
[[nodiscard]] bool surely_same_strides(const SymbolicLayout& a, const SymbolicLayout& b, const SizeOrder& order);
/// It fills its memory without gaps and in some order of its dimensions, for all sizes.
[[nodiscard]] bool surely_dense(const SymbolicLayout& view, const SizeOrder& order);

/// Ranges of the symbols: the file's; a symbol that is a dimension of a tensor is not negative.
[[nodiscard]] SizeOrder size_order(const ProgramGraph& program);
/// By node index: layouts of single tensors for all sizes, as the file gives them; offsets it leaves out follow from the views.
/// nullopt where that does not tell.
[[nodiscard]] std::vector<std::optional<SymbolicLayout>> symbolic_layouts(const ProgramGraph& program, const GraphFacts& facts,
                                                                          const SizeOrder& order);

} // namespace inspector
