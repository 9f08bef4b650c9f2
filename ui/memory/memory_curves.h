// Live bytes before and after the rewrites, over one row of nodes: those of both graphs in program order.
#pragma once

#include <cstdint>
#include <vector>

#include "core/passes/reinplace/memory_use.h"

namespace inspector {

class Document;

struct MemoryCurve {
    std::vector<std::int64_t> bytes;  ///< by place; where the graph has no such node, as at the node before
    std::int64_t peak = 0;
    std::size_t peakPlace = 0;
};

struct MemoryCurves {
    std::vector<NodeId> nodes;        ///< Document::nodes()
    MemoryCurve before;
    MemoryCurve after;                ///< as rewritten so far
    MemoryUse use;
    std::size_t unknown = 0;          ///< nodes whose values' sizes are not known, and so not counted

    /// Empty for an empty document. What inputs hold is a constant, counted only if asked for. Linear in the graph.
    [[nodiscard]] static MemoryCurves of(const Document& document, bool withInputs);
    [[nodiscard]] std::size_t placeOf(NodeId node) const; ///< nodes.size() where it has none
};

} // namespace inspector
