// The canvas: the open graph drawn in program order, to look at, walk through and step along.
#pragma once

#include <QGraphicsScene>
#include <QGraphicsView>

#include "core/graph/result.h"
#include "ui/document/document.h"
#include "ui/graph_view/graph_item.h"
#include "ui/graph_view/graph_picture.h"
#include "ui/graph_view/layout_request.h"

class QLabel;

namespace inspector {

class LayoutProgress;
class Minimap;

class GraphView : public QGraphicsView {
    Q_OBJECT
public:
    explicit GraphView(Document* document, QWidget* parent = nullptr);
    ~GraphView() override;

    // --- zoom and place ----------------------------------------------------------------------------------------------
    void zoomIn();
    void zoomOut();
    void fit();              ///< the whole graph, at most at zoom 1; stays so while the window is resized
    void centreOnSelection();
    void revealInputs();     ///< draws all edges into the selected node and shows where they begin; again: no longer
    void revealOutputs();
    void toggleColumns();    ///< a high graph is folded into columns, or drawn in one
    [[nodiscard]] double zoom() const { return transform().m11(); }

    /// For menus and toolbars, in this order: fit, zoom in, zoom out, centre, reveal inputs, reveal outputs,
    /// columns. They have icons, tool tips and shortcuts, and are disabled while nothing is shown.
    [[nodiscard]] const QList<QAction*>& viewActions() const { return viewActions_; }

    // --- pictures ----------------------------------------------------------------------------------------------------
    enum class ExportArea : std::uint8_t { graph, view };
    [[nodiscard]] Result<void> exportSvg(const QString& path, ExportArea area = ExportArea::graph) const;
    [[nodiscard]] Result<void> exportPdf(const QString& path, ExportArea area = ExportArea::graph) const;
    /// `scale`: pixels per pixel of zoom 1. The scale used is the result: smaller where the image would be too large.
    [[nodiscard]] Result<double> exportPng(const QString& path, double scale,
                                           ExportArea area = ExportArea::graph) const;

    // --- what is shown, for tests and benchmarks ---------------------------------------------------------------------
    [[nodiscard]] const GraphPicture& picture() const { return picture_; }
    [[nodiscard]] const GraphEmphasis& emphasis() const { return item_->emphasis(); }
    [[nodiscard]] LayoutRequest& layoutRequest() { return layoutRequest_; }
    [[nodiscard]] QPoint viewPositionOf(NodeId node) const; ///< of its centre, in the viewport

Q_SIGNALS:
    void layoutFinished(); ///< no better layout will come

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    void changeEvent(QEvent* event) override;
    bool viewportEvent(QEvent* event) override;

private:
    void makeActions();
    void showDocument();
    void showStep();
    void showSelection();
    void tellSelection();
    void showHighlight();
    void startLayout();
    void takeLayout(const GraphLayout& layout);
    void updateEmphasis();
    void updateActions();
    void updateSceneRect();
    void updateOverlays();
    void placeMinimap();

    void zoomAround(QPointF viewPosition, double factor);
    void showFirst();
    void lookAt(QPointF point);
    void bringIntoSight(std::uint32_t node);
    void reveal(bool inputs);
    void moveAlong(int key);
    [[nodiscard]] std::uint32_t besideInRow(std::uint32_t node, bool right) const;
    void follow(const GraphPicture::Reference& reference, QPoint globalPosition);
    void selectIndex(std::uint32_t node);
    [[nodiscard]] std::uint32_t selectedIndex() const;
    [[nodiscard]] QString toolTipAt(QPointF scenePosition) const;
    [[nodiscard]] QRectF viewedArea() const;

    Document* document_;
    GraphPicture picture_;
    GraphItem* item_ = nullptr; ///< owned by the scene
    QGraphicsScene scene_;
    LayoutRequest layoutRequest_;
    Minimap* minimap_ = nullptr;
    QLabel* empty_ = nullptr;
    LayoutProgress* progress_ = nullptr;
    QList<QAction*> viewActions_;
    std::size_t shownGraph_ = 0;
    bool isFitted_ = true;       ///< nobody has moved the view since fit()
    bool isFirstLayout_ = true;  ///< of this graph
    bool revealsInputs_ = false;
    bool revealsOutputs_ = false;
    QPoint pressedAt_;
    bool isPressed_ = false;
    bool isPanning_ = false;
};

} // namespace inspector
