#include "ui/graph_view/row_placement.h"

#include <algorithm>

namespace inspector {

void place_in_order(std::span<RowItem> items) {
    // With each item's least distance from the first taken off, "no overlap" becomes "not decreasing". Neighbours that
    // would decrease are pooled at their weighted mean.
    struct Pool { double sum, weight; std::size_t count; };
    std::vector<Pool> pools;
    pools.reserve(items.size());
    std::vector<double> offsets(items.size());
    double offset = 0;
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (i > 0)
            offset += (items[i - 1].width + items[i].width) / 2 + std::min(items[i - 1].gap, items[i].gap);
        offsets[i] = offset;
        const double weight = items[i].weight;
        pools.push_back({weight * (items[i].wanted - offset), weight, 1});
        while (pools.size() > 1) {
            const Pool& last = pools.back();
            Pool& before = pools[pools.size() - 2];
            if (before.sum / before.weight <= last.sum / last.weight) break;
            before.sum += last.sum;
            before.weight += last.weight;
            before.count += last.count;
            pools.pop_back();
        }
    }
    std::size_t i = 0;
    for (const Pool& pool : pools)
        for (std::size_t n = 0; n < pool.count; ++n, ++i)
            items[i].centre = static_cast<float>(pool.sum / pool.weight + offsets[i]);
}

} // namespace inspector
