#include "core/formats/svg/layered_layout.h"

#include <algorithm>
#include <utility>

namespace inspector {
namespace {

/// Longest-path layers; but an input, and a chain of nodes that prepares one input for one reader, stands just above what
/// first reads it: a weight and its transpose beside the product, not at the top of the picture.
std::vector<std::uint32_t> assign_layers(std::size_t count, const std::vector<LayerEdge>& edges) {
    std::vector<std::vector<std::uint32_t>> inputs(count);
    std::vector<std::vector<std::uint32_t>> readers(count);
    for (const auto& [from, to] : edges) {
        inputs[to].push_back(from);
        readers[from].push_back(to);
    }
    std::vector<std::uint32_t> layer(count, 0);
    std::vector<bool> is_preparation(count, false);
    for (std::size_t node = 0; node < count; ++node) {
        for (const std::uint32_t input : inputs[node]) layer[node] = std::max(layer[node], layer[input] + 1);
        const auto serves_only_this = [&](std::uint32_t input) { return is_preparation[input] && readers[input].size() == 1; };
        is_preparation[node] = inputs[node].size() <= 1 && std::all_of(inputs[node].begin(), inputs[node].end(), serves_only_this);
    }
    for (std::size_t node = count; node-- > 0;) {
        if (!is_preparation[node] || readers[node].empty()) continue;
        std::uint32_t first = layer[readers[node].front()];
        for (const std::uint32_t reader : readers[node]) first = std::min(first, layer[reader]);
        layer[node] = first - 1;
    }
    return layer;
}

/// Boxes, and behind them one lane for each layer an edge passes.
struct Items {
    std::vector<double> widths;
    std::vector<std::uint32_t> layer;
    std::vector<std::vector<std::uint32_t>> above, below; ///< neighbours one layer up and down
    std::vector<double> centre;

    std::uint32_t add_lane(std::uint32_t at) {
        widths.push_back(0);
        layer.push_back(at);
        above.emplace_back();
        below.emplace_back();
        return static_cast<std::uint32_t>(widths.size() - 1);
    }
    void connect(std::uint32_t upper, std::uint32_t lower) {
        below[upper].push_back(lower);
        above[lower].push_back(upper);
    }
};

using Layers = std::vector<std::vector<std::uint32_t>>;

/// Puts a layer's items side by side, each as near to its wish as those before it allow; then the whole layer moves so
/// that on average the wishes are met.
void place(const std::vector<std::uint32_t>& layer, const std::vector<double>& wish, double gap, Items& items) {
    double left = 0;
    double drift = 0;
    bool is_first = true;
    for (const std::uint32_t item : layer) {
        const double half = items.widths[item] / 2;
        items.centre[item] = is_first ? wish[item] : std::max(wish[item], left + half);
        left = items.centre[item] + half + gap;
        drift += wish[item] - items.centre[item];
        is_first = false;
    }
    drift /= static_cast<double>(std::max<std::size_t>(layer.size(), 1));
    for (const std::uint32_t item : layer) items.centre[item] += drift;
}

void sweep(Layers& layers, bool downwards, double gap, Items& items) {
    const auto& neighbours = downwards ? items.above : items.below;
    std::vector<double> wish(items.centre);
    for (std::size_t i = 0; i < layers.size(); ++i) {
        auto& layer = layers[downwards ? i : layers.size() - 1 - i];
        for (const std::uint32_t item : layer) {
            if (neighbours[item].empty()) continue;
            double sum = 0;
            for (const std::uint32_t neighbour : neighbours[item]) sum += items.centre[neighbour];
            wish[item] = sum / static_cast<double>(neighbours[item].size());
        }
        std::stable_sort(layer.begin(), layer.end(), [&](std::uint32_t a, std::uint32_t b) { return wish[a] < wish[b]; });
        place(layer, wish, gap, items);
    }
}

} // namespace

LayeredLayout lay_out_layers(const std::vector<double>& widths, const std::vector<LayerEdge>& edges, double gap) {
    LayeredLayout layout;
    const auto count = static_cast<std::uint32_t>(widths.size());
    layout.lanes.resize(edges.size());
    if (count == 0) return layout;

    Items items{widths, assign_layers(count, edges), Layers(count), Layers(count), {}};
    for (std::uint32_t node = 0; node < count; ++node) layout.places.push_back({items.layer[node], 0});
    std::vector<std::uint32_t> first_lane(edges.size());
    for (std::size_t i = 0; i < edges.size(); ++i) {
        if (layout.is_stub(edges[i])) continue;
        first_lane[i] = static_cast<std::uint32_t>(items.widths.size());
        std::uint32_t previous = edges[i].from;
        for (std::uint32_t at = items.layer[edges[i].from] + 1; at < items.layer[edges[i].to]; ++at) {
            const std::uint32_t lane = items.add_lane(at);
            items.connect(previous, lane);
            previous = lane;
        }
        items.connect(previous, edges[i].to);
    }

    layout.layers = *std::max_element(items.layer.begin(), items.layer.end()) + 1;
    Layers layers(layout.layers);
    for (std::uint32_t item = 0; item < items.widths.size(); ++item) layers[items.layer[item]].push_back(item);
    items.centre.assign(items.widths.size(), 0);
    for (const auto& layer : layers) place(layer, items.centre, gap, items);
    for (int round = 0; round < 2; ++round) {
        sweep(layers, true, gap, items);
        sweep(layers, false, gap, items);
    }

    double left = items.centre[0];
    double right = items.centre[0];
    for (std::size_t item = 0; item < items.widths.size(); ++item) {
        left = std::min(left, items.centre[item] - items.widths[item] / 2);
        right = std::max(right, items.centre[item] + items.widths[item] / 2);
    }
    layout.width = right - left;
    for (std::uint32_t node = 0; node < count; ++node) layout.places[node].centre = items.centre[node] - left;
    for (std::size_t i = 0; i < edges.size(); ++i) {
        if (layout.is_stub(edges[i])) continue;
        const std::uint32_t passed = items.layer[edges[i].to] - items.layer[edges[i].from] - 1;
        for (std::uint32_t lane = 0; lane < passed; ++lane)
            layout.lanes[i].push_back(items.centre[first_lane[i] + lane] - left);
    }
    return layout;
}

} // namespace inspector
