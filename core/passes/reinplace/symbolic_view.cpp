#include "core/passes/reinplace/symbolic_view.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/analysis/view_arguments.h"
#include "core/graph/symbolic_arithmetic.h"
#include "core/passes/reinplace/target.h"

namespace inspector {
namespace {

using Size = std::optional<SymbolicSize>;

const TensorMeta* tensor_of(const Graph& graph, NodeId node) {
    return node != no_node && index_of(node) < graph.id_limit() ? std::get_if<TensorMeta>(&graph.node(node).meta) : nullptr;
}

/// An index counted from the front, between 0 and `size` by their sample values.
Size place_within(const Size& index, const SymbolicSize& size) {
    if (!index || !index->hint()) return std::nullopt;
    Size place = *index->hint() < 0 ? sum(*index, size) : index;
    if (!place || !place->hint() || *place->hint() < 0) return std::nullopt;
    if (place->constant() == 0) return place; // whatever the size is
    return size.hint() && *place->hint() <= *size.hint() ? place : std::nullopt;
}

struct Place {
    std::vector<SymbolicSize> strides;
    SymbolicSize offset;
};

template <typename T> void remove_at(std::vector<T>& items, std::size_t index) {
    items.erase(items.begin() + static_cast<std::ptrdiff_t>(index));
}

std::optional<Place> select(const TensorMeta& base, Place place, const ViewArguments& arguments) {
    const auto dim = arguments.dimension("dim", std::nullopt, base.sizes.size());
    const Size index = dim ? place_within(arguments.size("index", std::nullopt), base.sizes[*dim]) : std::nullopt;
    const Size offset = index ? advanced(place.offset, *index, place.strides[*dim]) : std::nullopt;
    if (!offset) return std::nullopt;
    remove_at(place.strides, *dim);
    return Place{std::move(place.strides), *offset};
}

std::optional<Place> slice(const TensorMeta& base, Place place, const ViewArguments& arguments) {
    const auto dim = arguments.dimension("dim", 0, base.sizes.size());
    const Size start = dim ? place_within(arguments.size("start", 0), base.sizes[*dim]) : std::nullopt;
    const Size step = arguments.size("step", 1);
    if (!start || !step) return std::nullopt;
    const Size offset = advanced(place.offset, *start, place.strides[*dim]);
    const Size stride = product(*step, place.strides[*dim]);
    if (!offset || !stride) return std::nullopt;
    place.strides[*dim] = *stride;
    return Place{std::move(place.strides), *offset};
}

std::optional<Place> diagonal(const TensorMeta& base, const TensorMeta& source, Place place, const ViewArguments& arguments) {
    const auto shift = arguments.integer("offset", 0);
    const auto row = arguments.dimension("dim1", 0, base.sizes.size());
    const auto column = arguments.dimension("dim2", 1, base.sizes.size());
    if (!shift || *shift == std::numeric_limits<std::int64_t>::min() || !row || !column || *row == *column || source.sizes.empty()) return std::nullopt;
    const auto length = source.sizes.back().hint();
    if (*shift != 0 && !length) return std::nullopt;
    Size offset = place.offset;
    if (*shift != 0 && *length > 0) // torch leaves the offset of an empty diagonal
        offset = *shift > 0 ? advanced(place.offset, *shift, place.strides[*column])
                            : advanced(place.offset, -*shift, place.strides[*row]);
    const Size stride = sum(place.strides[*row], place.strides[*column]);
    if (!offset || !stride) return std::nullopt;
    remove_at(place.strides, std::max(*row, *column));
    remove_at(place.strides, std::min(*row, *column));
    place.strides.push_back(*stride);
    return Place{std::move(place.strides), *offset};
}

std::optional<Place> as_strided(const Place& place, const ViewArguments& arguments) {
    auto strides = arguments.sizes("stride");
    const Size offset = arguments.size("storage_offset", place.offset);
    if (!strides || !offset) return std::nullopt;
    return Place{std::move(*strides), *offset};
}

/// The same view of the same base, as functionalization leaves one beside the scatter.
const TensorMeta* equal_view(const Graph& graph, const Node& scatter, const Operator& view, NodeId base) {
    if (index_of(base) >= graph.id_limit()) return nullptr;
    for (const NodeId user : graph.users(base)) {
        const Node& node = graph.node(user);
        if (node.args.empty() || node.args[0].node() != base || node.kwargs != scatter.kwargs ||
            node.target != full_target(view))
            continue;
        if (std::ranges::equal(std::span(node.args).subspan(1), std::span(scatter.args).subspan(2)))
            return std::get_if<TensorMeta>(&node.meta);
    }
    return nullptr;
}

} // namespace

std::optional<TensorMeta> symbolic_view_meta(const Graph& graph, const Node& scatter, const Operator& view, NodeId base,
                                             const TensorMeta& base_meta) {
    if (scatter.args.size() < 2) return std::nullopt;
    const TensorMeta* source = tensor_of(graph, scatter.args[1].node());
    if (!source || !base_meta.strides || !base_meta.storage_offset || base_meta.layout != Layout::strided ||
        base_meta.strides->size() != base_meta.sizes.size())
        return std::nullopt;
    TensorMeta meta;
    meta.dtype = base_meta.dtype;
    meta.sizes = source->sizes;
    meta.device = base_meta.device;
    const TensorMeta* equal = equal_view(graph, scatter, view, base);
    if (equal && equal->strides && equal->storage_offset && equal->sizes.size() == meta.sizes.size()) {
        meta.strides = equal->strides;
        meta.storage_offset = equal->storage_offset;
        return meta;
    }
    const ViewArguments arguments(graph, view, std::span(scatter.args).subspan(2), scatter.kwargs);
    const Place whole{*base_meta.strides, *base_meta.storage_offset};
    std::optional<Place> place;
    if (view.name == "aten::select") place = select(base_meta, whole, arguments);
    else if (view.name == "aten::slice") place = slice(base_meta, whole, arguments);
    else if (view.name == "aten::diagonal") place = diagonal(base_meta, *source, whole, arguments);
    else if (view.name == "aten::as_strided") place = as_strided(whole, arguments);
    if (!place || place->strides.size() != meta.sizes.size()) return std::nullopt;
    meta.strides = std::move(place->strides);
    meta.storage_offset = std::move(place->offset);
    return meta;
}

} // namespace inspector
