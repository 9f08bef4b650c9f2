#include "core/passes/reinplace/scatter_match.h"

#include <algorithm>

namespace inspector {

std::size_t ScatterMatch::Hash::operator()(const Key& key) const {
    std::uint64_t hash = 0xCBF29CE484222325ULL;
    const auto mix = [&](std::int64_t value) { hash = (hash ^ static_cast<std::uint64_t>(value)) * 0x100000001B3ULL; };
    for (const ViewShape* shape : {&key.base, &key.view}) {
        std::ranges::for_each(shape->sizes, mix);
        std::ranges::for_each(shape->strides, mix);
        mix(shape->offset);
    }
    return static_cast<std::size_t>(hash ^ (hash >> 29));
}

ScatterMatch::ScatterMatch(const Graph& graph, const GraphFacts& facts) : facts_(facts) {
    for (const NodeId id : graph) {
        const NodeId base = facts.of(id).view_of;
        if (base == no_node || !facts.tensor(id) || !facts.tensor(base)) continue;
        views_[{shape_of(*facts.tensor(base)), shape_of(*facts.tensor(id))}].push_back(id);
    }
}

NodeId ScatterMatch::find(const Node& scatter, const Operator& view, NodeId base,
                          const std::function<bool(NodeId)>& is_member) const {
    const TensorLayout* layout = base != no_node ? facts_.tensor(base) : nullptr;
    if (!layout || scatter.args.size() < 2) return no_node;
    Key key{shape_of(*layout), {}};
    auto shape = view_shape(view, key.base, std::span(scatter.args).subspan(2), scatter.kwargs);
    if (!shape) return no_node;
    key.view = std::move(*shape);
    const auto found = views_.find(key);
    if (found == views_.end()) return no_node;
    const auto member = std::ranges::find_if(found->second, is_member);
    return member != found->second.end() ? *member : no_node;
}

} // namespace inspector
