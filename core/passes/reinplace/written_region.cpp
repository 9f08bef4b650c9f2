#include "core/passes/reinplace/written_region.h"

#include <span>
#include <utility>

#include "core/analysis/symbolic_views.h"
#include "core/passes/reinplace/view_shape.h"

namespace inspector {

std::optional<TensorLayout> scatter_region(const PassState& state, NodeId scatter, const TensorLayout& base) {
    const Operator* view = state.target(scatter).inverse_view;
    return view ? scatter_region(*view, state.original.node(scatter), base) : std::nullopt;
}

std::optional<TensorLayout> scatter_region(const Operator& view, const Node& scatter, const TensorLayout& base) {
    if (scatter.args.size() < 2) return std::nullopt;
    const auto shape = view_shape(view, shape_of(base), std::span(scatter.args).subspan(2), scatter.kwargs);
    if (!shape) return std::nullopt;
    TensorLayout region = base;
    region.sizes = shape->sizes;
    region.strides = shape->strides;
    region.storage_offset = shape->offset;
    return region;
}

std::optional<SymbolicLayout> symbolic_scatter_region(const PassState& state, NodeId scatter, NodeId value) {
    const Operator* view = state.target(scatter).inverse_view;
    const Node& node = state.original.node(scatter);
    const SymbolicLayout* base = state.places->symbolic_layout(value);
    if (!view || !base || node.args.size() < 2 || node.args[1].node() == no_node) return std::nullopt;
    // The source is exactly as large as the region.
    const auto* source = std::get_if<TensorMeta>(&state.original.node(node.args[1].node()).meta);
    if (!source) return std::nullopt;
    return symbolic_view(state.original, *view, *base, std::span(node.args).subspan(2), node.kwargs, source->sizes, nullptr,
                         state.places->order());
}

std::optional<Placements::Area> written_region(const PassState& state, const Candidate& candidate) {
    auto self = state.places->area(candidate.self);
    if (!self || candidate.target.inplace || !candidate.target.inverse_view) return self;
    const auto region = scatter_region(state, candidate.node, self->layout);
    auto symbolic = symbolic_scatter_region(state, candidate.node, candidate.self);
    if (!region && !symbolic) return std::nullopt;
    // Without numbers in its arguments the region is only known for all sizes.
    return Placements::Area{region ? *region : self->layout, region.has_value() && self->is_fixed, std::move(symbolic)};
}

} // namespace inspector
