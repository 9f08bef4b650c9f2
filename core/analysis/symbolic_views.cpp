#include "core/analysis/symbolic_views.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "core/analysis/view_arguments.h"
#include "core/graph/symbolic_arithmetic.h"

namespace inspector {
namespace {

using Size = std::optional<SymbolicSize>;

constexpr std::array keeps_offset{
    std::string_view("aten::_reshape_alias"), std::string_view("aten::alias"),     std::string_view("aten::detach"),
    std::string_view("aten::expand"),         std::string_view("aten::permute"),   std::string_view("aten::reshape"),
    std::string_view("aten::squeeze"),        std::string_view("aten::t"),         std::string_view("aten::transpose"),
    std::string_view("aten::unsqueeze"),      std::string_view("aten::view"),
};
static_assert(std::ranges::is_sorted(keeps_offset));

/// Counted from the front, and surely not negative.
Size from_the_front(const Size& index, const SymbolicSize& size, const SizeOrder& order) {
    if (!index) return std::nullopt;
    if (order.surely_at_most(0, *index)) return index;
    if (!order.surely_less(*index, 0)) return std::nullopt;
    Size place = sum(*index, size);
    return place && order.surely_at_most(0, *place) ? place : std::nullopt;
}

template <typename T> void remove_at(std::vector<T>& items, std::size_t index) {
    items.erase(items.begin() + static_cast<std::ptrdiff_t>(index));
}

} // namespace

std::optional<SymbolicLayout> symbolic_view(const Graph& graph, const Operator& view, const SymbolicLayout& base,
                                            std::span<const Argument> args, const std::vector<NamedArgument>& kwargs,
                                            const std::vector<SymbolicSize>& sizes,
                                            const std::vector<SymbolicSize>* strides, const SizeOrder& order) {
    SymbolicLayout made = base;
    const ViewArguments arguments(graph, view, args, kwargs);
    Size offset;
    if (view.name == "aten::select" && view.overload == "int") {
        const auto dim = arguments.dimension("dim", std::nullopt, base.sizes.size());
        const Size index =
            dim ? from_the_front(arguments.size("index", std::nullopt), base.sizes[*dim], order) : std::nullopt;
        if (!index) return std::nullopt;
        offset = advanced(base.offset, *index, base.strides[*dim]);
        remove_at(made.strides, *dim);
    } else if (view.name == "aten::slice" && view.overload == "Tensor") {
        const auto dim = arguments.dimension("dim", 0, base.sizes.size());
        const Size start = dim ? from_the_front(arguments.size("start", 0), base.sizes[*dim], order) : std::nullopt;
        const Size step = arguments.size("step", 1);
        // A start beyond the end is cut: the slice is empty, and lies elsewhere.
        if (!start || !step || !order.surely_at_most(*start, base.sizes[*dim])) return std::nullopt;
        const Size stride = product(*step, base.strides[*dim]);
        if (!stride) return std::nullopt;
        offset = advanced(base.offset, *start, base.strides[*dim]);
        made.strides[*dim] = *stride;
    } else if (view.name == "aten::diagonal" && view.overload.empty()) {
        const Size shift = arguments.size("offset", 0);
        const auto row = arguments.dimension("dim1", 0, base.sizes.size()),
                   column = arguments.dimension("dim2", 1, base.sizes.size());
        if (!shift || shift->constant() != 0 || !row || !column || *row == *column) return std::nullopt;
        const Size stride = sum(base.strides[*row], base.strides[*column]);
        if (!stride) return std::nullopt;
        offset = base.offset;
        remove_at(made.strides, std::max(*row, *column));
        remove_at(made.strides, std::min(*row, *column));
        made.strides.push_back(*stride);
    } else if (view.name == "aten::as_strided" && view.overload.empty()) {
        auto given = arguments.sizes("stride");
        if (!given) return std::nullopt;
        offset = arguments.size("storage_offset", base.offset);
        made.strides = std::move(*given);
    } else if (strides && std::ranges::binary_search(keeps_offset, std::string_view(view.name))) {
        offset = base.offset;
        made.strides = *strides;
    }
    if (!offset || made.strides.size() != sizes.size()) return std::nullopt;
    made.sizes = sizes;
    made.offset = *offset;
    return made;
}

} // namespace inspector
