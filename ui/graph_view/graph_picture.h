// Content brought together with a layout: where every node, edge and reference is, and what is at a point.
// Positions come from the original graph and stay while stepping; what the pass makes is placed beside what it
// replaces.
#pragma once

#include <span>
#include <vector>

#include <QLineF>
#include <QPointF>
#include <QRectF>

#include "ui/graph_view/graph_content.h"
#include "ui/graph_view/graph_layout.h"
#include "ui/graph_view/node_card.h"

namespace inspector {

/// Nodes are named by their index in content().nodes.
class GraphPicture {
public:
    static constexpr std::uint32_t none = GraphContent::noIndex;

    explicit GraphPicture(const QFont& font);

    /// Another graph; it has no places until setLayout().
    void setContent(GraphContent content);
    /// What the layout is asked for: boxes are the original nodes, in program order.
    [[nodiscard]] LayoutInput layoutInput() const;
    [[nodiscard]] const LayoutOptions& layoutOptions() const { return options_; }
    /// Whether a high graph is folded into columns; true at first. For the next layout.
    void setFolds(bool folds) { options_.folds = folds; }
    [[nodiscard]] bool folds() const { return options_.folds; }
    /// `layout` was made from layoutInput() of this content.
    void setLayout(GraphLayout layout);
    /// The same graph after a step: what refreshContent() made of content().
    void updateContent(GraphContent content);

    [[nodiscard]] bool hasLayout() const { return hasLayout_; }
    [[nodiscard]] const GraphContent& content() const { return content_; }
    [[nodiscard]] const NodeCard& card() const { return card_; }
    [[nodiscard]] QRectF bounds() const { return bounds_; }
    [[nodiscard]] const QRectF& rect(std::uint32_t node) const { return rects_[node]; }

    struct Edge {
        std::uint32_t from = 0;
        std::uint32_t to = 0;
        EdgeKind kind = EdgeKind::data;
        std::span<const LayoutPoint> route; ///< Bézier control points; empty: ends in references
    };
    /// By row of the reader.
    [[nodiscard]] const std::vector<Edge>& edges() const { return edges_; }
    /// Indices into edges() of those that begin or end at `node`; linear.
    [[nodiscard]] std::vector<std::uint32_t> edgesAt(std::uint32_t node) const;

    struct Reference {
        QRectF rect;
        std::uint32_t node = none;          ///< whose reference it is
        bool isAboveReader = false;
        std::vector<std::uint32_t> others;  ///< the far nodes; never empty
        std::uint32_t row = 0;
    };
    [[nodiscard]] const std::vector<Reference>& references() const { return references_; }

    /// Whether more than one value lives on `storage`.
    [[nodiscard]] bool isShared(StorageId storage) const {
        return storage < valuesOnStorage_.size() && valuesOnStorage_[storage] > 1;
    }

    /// Rows [first, last) of one column.
    struct RowRange { std::uint32_t first = 0; std::uint32_t last = 0; };
    /// Those that meet `area`, for each column that does.
    [[nodiscard]] std::vector<RowRange> rowsIn(const QRectF& area) const;
    /// Lines between the columns.
    [[nodiscard]] std::vector<QLineF> columnLines() const;
    [[nodiscard]] std::span<const std::uint32_t> nodesIn(std::uint32_t row) const;
    [[nodiscard]] std::uint32_t rowOf(std::uint32_t node) const { return rows_[node]; }
    /// Edges that may be seen where these rows are.
    [[nodiscard]] std::span<const Edge> edgesAcross(RowRange rows) const;
    [[nodiscard]] std::span<const Reference> referencesIn(RowRange rows) const;

    [[nodiscard]] std::uint32_t nodeAt(QPointF point) const;
    /// The node whose centre is nearest; none in an empty graph.
    [[nodiscard]] std::uint32_t nearest(QPointF point) const;
    [[nodiscard]] const Reference* referenceAt(QPointF point) const;

private:
    void place();
    void placeCreated(std::uint32_t node);
    void routeEdges();
    [[nodiscard]] bool isOriginal(const EdgeContent& edge) const;
    [[nodiscard]] std::span<const LayoutPoint> originalRoute(std::uint32_t from, std::uint32_t to) const;
    [[nodiscard]] std::vector<LayoutPoint> newRoute(const EdgeContent& edge) const;
    /// Whether no card of these rows, up to `lastRow`, is at x.
    [[nodiscard]] bool isFree(double x, std::uint32_t firstRow, std::uint32_t lastRow) const;
    [[nodiscard]] std::size_t columnOf(std::uint32_t node) const;
    void fillReferences();
    /// `taken`: places of references, by row.
    [[nodiscard]] QRectF freePlace(const QRectF& wanted, std::uint32_t node, const std::vector<std::vector<QRectF>>& taken) const;
    void countStorages();

    NodeCard card_;
    GraphContent content_;
    GraphLayout layout_;
    bool hasLayout_ = false;
    LayoutOptions options_;
    QRectF bounds_;
    std::vector<QSizeF> sizes_;                          ///< by original node: what the layout was asked for
    std::vector<QRectF> rects_;                          ///< by node
    std::vector<std::uint32_t> rows_;                    ///< by node
    std::vector<LayoutColumn> columns_;                  ///< the layout's, widened by what the pass has made
    std::vector<std::vector<std::uint32_t>> createdIn_;  ///< by row
    std::vector<std::uint32_t> nodesInRows_;             ///< row by row, from left to right, created ones included
    std::vector<std::uint32_t> rowStarts_;
    std::vector<std::uint32_t> firstOriginalEdge_;       ///< by reader, into content_.originalEdges
    std::vector<Edge> edges_;
    std::vector<LayoutPoint> newRoutes_;                 ///< of edges the layout does not know
    std::vector<Reference> references_;                  ///< row by row
    std::vector<std::uint32_t> valuesOnStorage_;
};

} // namespace inspector
