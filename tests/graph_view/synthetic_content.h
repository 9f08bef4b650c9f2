// Graph contents made without a document, for what is drawn of them.
#pragma once

#include "tests/graph_view/synthetic_layouts.h"
#include "ui/graph_view/graph_content.h"

namespace inspector {

/// The nodes and edges of a layout input, named %n0, %n1, …; each node that reads one is a view of its first operand
/// where `everyThirdIsView` says so, else on a storage of its own. Verdicts take turns.
inline GraphContent contentLike(const LayoutInput& input) {
    GraphContent content;
    constexpr std::array marks{VerdictMark::kept, VerdictMark::reinplaced, VerdictMark::missed, VerdictMark::pending};
    StorageId next = 1;
    for (std::uint32_t i = 0; i < input.boxes.size(); ++i) {
        NodeContent node;
        node.id = NodeId{i};
        node.name = QStringLiteral("%n%1").arg(i);
        node.type = QStringLiteral("f32[2, 8, 64]");
        node.isInput = input.boxes[i].is_beside_reader;
        node.target = node.isInput ? QStringLiteral("parameter") : QStringLiteral("aten.add.Tensor");
        node.mark = node.isInput ? VerdictMark::none : marks[i % marks.size()];
        node.storage = next++;
        content.nodes.push_back(node);
        content.indices.push_back(i);
    }
    content.originalCount = content.nodes.size();
    for (const LayoutEdge& edge : input.edges) {
        const bool isFirst = content.edges.empty() || content.edges.back().to != edge.to;
        const bool isView = isFirst && edge.to % 3 == 0;
        if (isView) content.nodes[edge.to].storage = content.nodes[edge.from].storage;
        content.edges.push_back({edge.from, edge.to, isView ? EdgeKind::view : EdgeKind::data});
        content.originalEdges.push_back({edge.from, edge.to, EdgeKind::data});
    }
    return content;
}

} // namespace inspector
