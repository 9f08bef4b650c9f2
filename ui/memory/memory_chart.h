// The curves: live bytes over the program, both peaks marked, the current and the selected node as lines.
#pragma once

#include <QWidget>

#include "ui/memory/memory_curves.h"

namespace inspector {

class Document;

class MemoryChart : public QWidget {
    Q_OBJECT
public:
    explicit MemoryChart(Document* document, QWidget* parent = nullptr);
    void setCurves(const MemoryCurves* curves); ///< must live as long as they are shown
    [[nodiscard]] QSize minimumSizeHint() const override;

    /// Where a place of the curves is, and what is at a point; for the latter the nearest.
    [[nodiscard]] double xOf(std::size_t place) const;
    [[nodiscard]] std::size_t placeAt(double x) const;
    /// "%add: 1.5 KiB before, 1 KiB after", on two lines.
    [[nodiscard]] QString wordsAt(std::size_t place) const;

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    [[nodiscard]] QRectF plot() const; ///< within the axes
    [[nodiscard]] double yOf(std::int64_t bytes) const;
    [[nodiscard]] QPolygonF outline(const MemoryCurve& curve) const;
    void paintAxes(QPainter& painter) const;
    void paintCurve(QPainter& painter, const MemoryCurve& curve, const QColor& line, const QColor& fill, Qt::PenStyle style) const;
    void paintPeak(QPainter& painter, const MemoryCurve& curve, const QColor& colour, bool above) const;
    void paintCursor(QPainter& painter, NodeId node, const QColor& colour, Qt::PenStyle style) const;
    void selectBeside(int step);

    Document* document_;
    const MemoryCurves* curves_ = nullptr;
    std::int64_t top_ = 1;  ///< bytes at the upper edge
    std::int64_t step_ = 1; ///< between two lines
    int hovered_ = -1;
};

} // namespace inspector
