// Draws a GraphPicture. One item for the whole graph: what is visible is found by row, edges are drawn in batches, so
// that a frame costs what is in sight and 50,000 nodes cost no 50,000 items.
#pragma once

#include <vector>

#include <QGraphicsItem>

#include "ui/graph_view/graph_picture.h"

namespace inspector {

/// What stands out, by index in the picture.
struct GraphEmphasis {
    std::uint32_t selected = GraphPicture::none;
    std::uint32_t current = GraphPicture::none;   ///< the node the next step decides
    std::vector<std::uint32_t> numbered;          ///< evidence, in order
    bool revealsInputs = false;                   ///< the selected node's edges are drawn in full, however long
    bool revealsOutputs = false;
};

class GraphItem : public QGraphicsItem {
public:
    /// Below this zoom: filled rectangles and straight lines, no text, no antialiasing.
    static constexpr double detailedZoom = 0.25;

    explicit GraphItem(const GraphPicture& picture);

    /// Places have changed.
    void updatePicture();
    void setEmphasis(GraphEmphasis emphasis);
    [[nodiscard]] const GraphEmphasis& emphasis() const { return emphasis_; }
    void setPalette(const QPalette& palette);

    [[nodiscard]] QRectF boundingRect() const override { return bounds_; }
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

private:
    struct Visible;
    void paintFar(QPainter& painter, const Visible& visible, double zoom) const;
    void paintNear(QPainter& painter, const Visible& visible) const;
    void paintBands(QPainter& painter, const Visible& visible, bool ofSelection) const;
    void paintEdges(QPainter& painter, const Visible& visible) const;
    void paintEmphasizedEdges(QPainter& painter) const;
    void paintReferences(QPainter& painter, const Visible& visible) const;
    void paintMarks(QPainter& painter, double zoom) const;
    [[nodiscard]] StorageId selectedStorage() const;

    const GraphPicture& picture_;
    GraphEmphasis emphasis_;
    std::vector<std::uint32_t> emphasizedEdges_;
    CanvasColours colours_;
    QRectF bounds_;
};

} // namespace inspector
