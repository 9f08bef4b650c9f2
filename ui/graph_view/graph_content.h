// What the canvas says of a graph: the words on every node, its verdict and storage, and the edges between nodes.
// Places are not here (graph_picture.h).
#pragma once

#include <vector>

#include <QString>

#include "core/graph/graph.h"
#include "core/operators/infer.h"
#include "core/passes/reinplace/comparison.h"
#include "ui/palette/verdict_style.h"

namespace inspector {

class Document;

struct NodeContent {
    NodeId id = no_node;
    QString name;                   ///< "%add_3"
    QString type;                   ///< "f32[2, 8]", "Sym(s13)"; empty where nothing is known
    QString target;                 ///< "aten.add_.Tensor" as rewritten so far; for inputs what they are: "parameter"
    StorageId storage = 0;          ///< as rewritten so far
    VerdictMark mark = VerdictMark::none;
    Judgement judgement = Judgement::alike; ///< the gravest of what other policies decide otherwise than sound
    bool isInput = false;           ///< a placeholder or attribute
    bool isErased = false;          ///< the pass has taken it out
    NodeId beside = no_node;        ///< a node that the pass made: the one of the original graph it stands beside
};

enum class EdgeKind : std::uint8_t {
    data,
    view,   ///< the reader is a view of the value: both on one storage
    write,  ///< the reader writes into the value
};

/// Indices are into GraphContent::nodes.
struct EdgeContent {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    EdgeKind kind = EdgeKind::data;
};

struct GraphContent {
    std::vector<NodeContent> nodes;         ///< the original graph's in program order, then those the pass has made
    std::size_t originalCount = 0;
    std::vector<EdgeContent> originalEdges; ///< of the graph as it was read, all `data`: what the layout is made of
    std::vector<EdgeContent> edges;         ///< of the graph as rewritten so far; by reader, in order of its operands

    static constexpr std::uint32_t noIndex = 0xFFFFFFFF;
    [[nodiscard]] std::uint32_t indexOf(NodeId id) const {
        return index_of(id) < indices.size() ? indices[index_of(id)] : noIndex;
    }
    std::vector<std::uint32_t> indices;     ///< by NodeId
};

/// Everything, for a document that has just been opened. Empty for an empty document.
[[nodiscard]] GraphContent contentOf(const Document& document);
/// After a step: verdicts, targets, storages, edges, nodes made and erased. Linear in the graph.
void refreshContent(GraphContent& content, const Document& document);

} // namespace inspector
