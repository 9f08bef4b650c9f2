#include "ui/memory/memory_curves.h"

#include <algorithm>

#include "ui/document/document.h"

namespace inspector {
namespace {

/// `timeline` stretched over `nodes`, which hold all of its nodes in its order; `left_out` bytes are not counted.
MemoryCurve stretched(const MemoryTimeline& timeline, const std::vector<NodeId>& nodes, std::int64_t left_out) {
    MemoryCurve curve;
    curve.peak = timeline.peak - left_out;
    curve.bytes.reserve(nodes.size());
    std::size_t next = 0;
    std::int64_t bytes = timeline.live_bytes.empty() ? 0 : timeline.live_bytes.front() - left_out;
    for (std::size_t place = 0; place < nodes.size(); ++place) {
        if (next < timeline.nodes.size() && timeline.nodes[next] == nodes[place]) {
            if (next == timeline.peak_place) curve.peakPlace = place;
            bytes = timeline.live_bytes[next++] - left_out;
        }
        curve.bytes.push_back(bytes);
    }
    return curve;
}

} // namespace

MemoryCurves MemoryCurves::of(const Document& document, bool withInputs) {
    MemoryCurves curves;
    if (document.isEmpty()) return curves;
    const ReinplaceSession& session = *document.session();
    curves.nodes = document.nodes();
    curves.use = simulate_memory_use(session);
    const std::int64_t left_out = withInputs ? 0 : curves.use.held;
    curves.before = stretched(curves.use.before, curves.nodes, left_out);
    curves.after = stretched(curves.use.after, curves.nodes, left_out);
    for (const NodeId node : session.original())
        curves.unknown += session.original().node(node).opcode != Opcode::output && !session.facts().is_known(node) ? 1 : 0;
    return curves;
}

std::size_t MemoryCurves::placeOf(NodeId node) const {
    return static_cast<std::size_t>(std::ranges::find(nodes, node) - nodes.begin());
}

} // namespace inspector
