#include "core/passes/reinplace/written_region.h"

#include <span>

#include "core/passes/reinplace/view_shape.h"

namespace inspector {

std::optional<TensorLayout> scatter_region(const PassState& state, NodeId scatter, const TensorLayout& base) {
    const Operator* view = state.target(scatter).inverse_view;
    const Node& node = state.original.node(scatter);
    if (!view || node.args.size() < 2) return std::nullopt;
    const auto shape = view_shape(*view, shape_of(base), std::span(node.args).subspan(2), node.kwargs);
    if (!shape) return std::nullopt;
    TensorLayout region = base;
    region.sizes = shape->sizes;
    region.strides = shape->strides;
    region.storage_offset = shape->offset;
    return region;
}

std::optional<WrittenRegion> written_region(const PassState& state, const Candidate& candidate) {
    const TensorLayout* self = state.places->layout(candidate.self);
    if (!self) return std::nullopt;
    const bool is_fixed = state.places->is_fixed(candidate.self);
    if (candidate.target.inplace || !candidate.target.inverse_view) return WrittenRegion{*self, is_fixed};
    const auto region = scatter_region(state, candidate.node, *self);
    return region ? std::optional(WrittenRegion{*region, is_fixed}) : std::nullopt;
}

} // namespace inspector
