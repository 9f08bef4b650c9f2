#include "ui/graph_view/minimap.h"

#include <algorithm>

#include <QMouseEvent>
#include <QPainter>

namespace inspector {

namespace {

constexpr int padding = 6;
constexpr QSize smallest(72, 48);
constexpr int widest = 200;
constexpr double largestZoom = 0.1; ///< of a small graph

} // namespace

Minimap::Minimap(const GraphPicture& picture, QWidget* parent) : QWidget(parent), picture_(picture) {
    setCursor(Qt::PointingHandCursor);
    setAccessibleName(tr("Overview"));
    setAccessibleDescription(tr("The whole graph; click or drag to move the view"));
    setToolTip(tr("Overview: click or drag to move the view"));
}

void Minimap::updatePicture() {
    nodes_ = {};
    update();
}

void Minimap::fitInto(QSize room) {
    const QSizeF graph = picture_.bounds().size();
    if (graph.isEmpty()) return;
    const QSize most(std::min(widest, room.width()), room.height());
    const QSizeF fitting = graph.scaled(most, Qt::KeepAspectRatio).boundedTo(graph * largestZoom);
    const QSize before = size();
    resize(fitting.toSize().expandedTo(smallest).boundedTo(most));
    if (size() != before) updatePicture();
}

void Minimap::setEmphasis(std::uint32_t selected, std::uint32_t current) {
    selected_ = selected;
    current_ = current;
    update();
}

void Minimap::setView(const QRectF& view) {
    view_ = view;
    update();
}

QTransform Minimap::fromScene() const {
    const QRectF graph = picture_.bounds();
    const QRectF here = QRectF(rect()).adjusted(padding, padding, -padding, -padding);
    QTransform transform;
    transform.translate(here.left(), here.top());
    transform.scale(here.width() / std::max(graph.width(), 1.0), here.height() / std::max(graph.height(), 1.0));
    transform.translate(-graph.left(), -graph.top());
    return transform;
}

void Minimap::paintEvent(QPaintEvent*) {
    if (!picture_.hasLayout()) return;
    const QTransform transform = fromScene();
    const CanvasColours colours = CanvasColours::of(palette());
    const auto small = [&](const QRectF& rect) {
        const QRectF mapped = transform.mapRect(rect);
        return QRectF(mapped.topLeft(), mapped.size().expandedTo(QSizeF(1, 1)));
    };
    if (nodes_.isNull()) {
        nodes_ = QPixmap(size() * devicePixelRatioF());
        nodes_.setDevicePixelRatio(devicePixelRatioF());
        nodes_.fill(colours.window);
        QPainter painter(&nodes_);
        for (std::uint32_t i = 0; i < picture_.content().nodes.size(); ++i) {
            painter.fillRect(small(picture_.rect(i)), colours.overview(picture_.content().nodes[i].mark));
        }
    }
    QPainter painter(this);
    painter.drawPixmap(0, 0, nodes_);
    const QColor text = colours.text;
    // A node is a pixel or two here: its mark is as wide as the map.
    const auto markRow = [&](std::uint32_t node, const QColor& colour) {
        if (node == GraphPicture::none) return;
        const double y = transform.map(picture_.rect(node).center()).y();
        painter.fillRect(QRectF(1, y - 1, padding - 1, 2), colour);
        painter.fillRect(QRectF(width() - padding, y - 1, padding - 1, 2), colour);
        painter.fillRect(small(picture_.rect(node)).adjusted(-1, -1, 1, 1), colour);
    };
    markRow(selected_, text);
    markRow(current_, colours.current);

    QRectF view = transform.mapRect(view_);
    view.setHeight(std::max(view.height(), 3.0));
    view &= QRectF(rect()).adjusted(1, 1, -1, -1);
    QColor tint = text;
    tint.setAlphaF(0.08F);
    painter.setBrush(tint);
    painter.setPen(QPen(text, 1));
    painter.drawRect(view.adjusted(0.5, 0.5, -0.5, -0.5));
    painter.setBrush(Qt::NoBrush);
    painter.setPen(colours.border);
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

void Minimap::moveTo(QPointF position) { Q_EMIT moved(fromScene().inverted().map(position)); }

void Minimap::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) moveTo(event->position());
}

void Minimap::mouseMoveEvent(QMouseEvent* event) {
    if (event->buttons() & Qt::LeftButton) moveTo(event->position());
}

void Minimap::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) nodes_ = {};
    QWidget::changeEvent(event);
}

} // namespace inspector
