#include "ui/memory/memory_chart.h"

#include <algorithm>
#include <cmath>

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include "ui/appearance/theme.h"
#include "ui/document/describe.h"
#include "ui/document/document.h"
#include "ui/palette/verdict_style.h"

namespace inspector {

namespace {

constexpr double margin = 8;
constexpr std::int64_t most_lines = 5;

/// The smallest power of two by which `peak` is at most five steps.
std::int64_t stepFor(std::int64_t peak) {
    std::int64_t step = 1;
    while (step < (std::int64_t(1) << 61) && peak / step >= most_lines) step *= 2;
    return step;
}

} // namespace

MemoryChart::MemoryChart(Document* document, QWidget* parent) : QWidget(parent), document_(document) {
    setObjectName(QStringLiteral("memoryChart"));
    setAccessibleName(tr("Live bytes over the program"));
    setAccessibleDescription(tr("Click selects a node; left and right go to the node before and after"));
    setMouseTracking(true);
    setFocusPolicy(Qt::ClickFocus);
    setCursor(Qt::CrossCursor);
    connect(document, &Document::selectionChanged, this, qOverload<>(&QWidget::update));
}

void MemoryChart::setCurves(const MemoryCurves* curves) {
    curves_ = curves;
    hovered_ = -1;
    const std::int64_t peak = curves ? std::max({curves->before.peak, curves->after.peak, std::int64_t(1)}) : 1;
    step_ = stepFor(peak);
    top_ = peak;
    update();
}

QSize MemoryChart::minimumSizeHint() const { return {fontMetrics().averageCharWidth() * 40, fontMetrics().height() * 6}; }

// --- places ----------------------------------------------------------------------------------------------------------

QRectF MemoryChart::plot() const {
    const double words = fontMetrics().horizontalAdvance(QStringLiteral("1023.9 MiB")) + margin;
    const double line = fontMetrics().height();
    // Above, room for the mark of the peak; below, for the axis's words.
    return QRectF(rect()).adjusted(words + margin, margin + 10, -margin, -line - margin);
}

double MemoryChart::xOf(std::size_t place) const {
    const QRectF area = plot();
    const double count = curves_ ? static_cast<double>(std::max<std::size_t>(curves_->nodes.size(), 1)) : 1;
    return area.left() + area.width() * (static_cast<double>(place) + 0.5) / count;
}

std::size_t MemoryChart::placeAt(double x) const {
    if (!curves_ || curves_->nodes.empty()) return 0;
    const QRectF area = plot();
    const double place = std::floor((x - area.left()) / area.width() * static_cast<double>(curves_->nodes.size()));
    return static_cast<std::size_t>(std::clamp(place, 0.0, static_cast<double>(curves_->nodes.size() - 1)));
}

double MemoryChart::yOf(std::int64_t bytes) const {
    const QRectF area = plot();
    return area.bottom() - area.height() * static_cast<double>(bytes) / static_cast<double>(top_);
}

QString MemoryChart::wordsAt(std::size_t place) const {
    const NodeId node = curves_->nodes[place];
    return QStringLiteral("%1\n%2").arg(nodeText(*document_, node),
                                        tr("%1 live before, %2 after").arg(bytesText(curves_->before.bytes[place]),
                                                                           bytesText(curves_->after.bytes[place])));
}

// --- painting --------------------------------------------------------------------------------------------------------

/// Steps: each node is as wide as its share of the axis. Where several fall into one pixel, the largest is drawn.
QPolygonF MemoryChart::outline(const MemoryCurve& curve) const {
    const QRectF area = plot();
    QPolygonF points;
    const std::size_t count = curve.bytes.size();
    const double width = area.width() / static_cast<double>(count);
    for (std::size_t place = 0; place < count;) {
        const double left = area.left() + width * static_cast<double>(place);
        std::size_t end = place + 1;
        std::int64_t most = curve.bytes[place];
        while (end < count && width * static_cast<double>(end - place) < 1) most = std::max(most, curve.bytes[end++]);
        const double y = yOf(most);
        points << QPointF(left, y) << QPointF(left + width * static_cast<double>(end - place), y);
        place = end;
    }
    return points;
}

void MemoryChart::paintAxes(QPainter& painter) const {
    const ThemeColours& colours = themeColours(palette());
    const QRectF area = plot();
    const double line = fontMetrics().height();
    double lowest = area.bottom() + line; // of the words written so far
    for (std::int64_t bytes = 0; bytes <= top_; bytes += step_) {
        const double y = std::round(yOf(bytes)) + 0.5;
        painter.setPen(colours.separator);
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
        if (lowest - y >= line) {
            painter.setPen(colours.muted);
            painter.drawText(QRectF(0, y - line, area.left() - margin, 2 * line), Qt::AlignRight | Qt::AlignVCenter, bytesText(bytes));
            lowest = y;
        }
        if (top_ - bytes < step_) break;
    }
    painter.setPen(colours.muted);
    const QRectF below(area.left(), area.bottom() + 4, area.width(), line);
    painter.drawText(below, Qt::AlignLeft | Qt::AlignVCenter, tr("first node"));
    painter.drawText(below, Qt::AlignHCenter | Qt::AlignVCenter, tr("program order"));
    painter.drawText(below, Qt::AlignRight | Qt::AlignVCenter, tr("last node"));
}

void MemoryChart::paintCurve(QPainter& painter, const MemoryCurve& curve, const QColor& line, const QColor& fill,
                             Qt::PenStyle style) const {
    const QRectF area = plot();
    const QPolygonF points = outline(curve);
    QPolygonF closed = points;
    closed << QPointF(points.last().x(), area.bottom()) << QPointF(points.first().x(), area.bottom());
    painter.setPen(Qt::NoPen);
    painter.setBrush(fill);
    painter.drawPolygon(closed);
    painter.setPen(QPen(line, 2, style, Qt::FlatCap, Qt::MiterJoin));
    painter.drawPolyline(points);
}

/// A triangle that points at the peak, from above or from within.
void MemoryChart::paintPeak(QPainter& painter, const MemoryCurve& curve, const QColor& colour, bool above) const {
    const QPointF tip(xOf(curve.peakPlace), yOf(curve.peak) + (above ? -2 : 2));
    const double height = above ? -9 : 9;
    const QPolygonF triangle({tip, tip + QPointF(-6, height), tip + QPointF(6, height)});
    painter.setPen(QPen(palette().color(QPalette::Base), 1));
    painter.setBrush(colour);
    painter.drawPolygon(triangle);
}

void MemoryChart::paintCursor(QPainter& painter, NodeId node, const QColor& colour, Qt::PenStyle style) const {
    const std::size_t place = curves_->placeOf(node);
    if (place >= curves_->nodes.size()) return;
    const QRectF area = plot();
    const double x = std::round(xOf(place)) + 0.5;
    painter.setPen(QPen(colour, 2, style));
    painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
}

void MemoryChart::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), palette().color(QPalette::Base));
    const ThemeColours& colours = themeColours(palette());
    if (!curves_ || curves_->nodes.empty()) {
        painter.setPen(palette().color(QPalette::PlaceholderText));
        painter.drawText(rect().adjusted(16, 16, -16, -16), Qt::AlignCenter | Qt::TextWordWrap,
                         tr("How many bytes are live at each node, before and after the rewrites, will be drawn here.\nOpen a graph to begin."));
        return;
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
    paintAxes(painter);
    const VerdictStyle& reinplaced = verdictStyle(VerdictMark::reinplaced, schemeOf(palette()));
    QColor before_fill = colours.muted, after_fill = reinplaced.fill;
    before_fill.setAlphaF(0.16F);
    after_fill.setAlphaF(0.30F);
    paintCurve(painter, curves_->before, colours.muted, before_fill, Qt::DashLine);
    paintCurve(painter, curves_->after, reinplaced.text, after_fill, Qt::SolidLine);
    if (hovered_ >= 0) {
        const double x = std::round(xOf(static_cast<std::size_t>(hovered_))) + 0.5;
        painter.setPen(colours.separator);
        painter.drawLine(QPointF(x, plot().top()), QPointF(x, plot().bottom()));
    }
    if (document_->selected() != document_->session()->current())
        paintCursor(painter, document_->selected(), palette().color(QPalette::Text), Qt::SolidLine);
    paintCursor(painter, document_->session()->current(), colours.current, Qt::SolidLine);
    painter.setRenderHint(QPainter::Antialiasing);
    paintPeak(painter, curves_->before, colours.muted, true);
    paintPeak(painter, curves_->after, reinplaced.text, false);
    if (hasFocus()) {
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(palette().color(QPalette::Highlight));
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

// --- pointer and keys ------------------------------------------------------------------------------------------------

void MemoryChart::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !curves_ || curves_->nodes.empty()) return;
    document_->select(curves_->nodes[placeAt(event->position().x())]);
}

void MemoryChart::mouseMoveEvent(QMouseEvent* event) {
    if (!curves_ || curves_->nodes.empty()) return;
    const bool is_inside = plot().contains(event->position());
    const int place = is_inside ? static_cast<int>(placeAt(event->position().x())) : -1;
    if (std::exchange(hovered_, place) != place) update();
    if (is_inside) QToolTip::showText(event->globalPosition().toPoint(), wordsAt(static_cast<std::size_t>(place)), this);
    else QToolTip::hideText();
}

void MemoryChart::leaveEvent(QEvent* event) {
    QWidget::leaveEvent(event);
    hovered_ = -1;
    update();
}

void MemoryChart::selectBeside(int step) {
    const std::size_t place = curves_->placeOf(document_->selected());
    if (place >= curves_->nodes.size()) return;
    const auto beside = static_cast<std::ptrdiff_t>(place) + step;
    if (beside >= 0 && beside < std::ssize(curves_->nodes)) document_->select(curves_->nodes[static_cast<std::size_t>(beside)]);
}

void MemoryChart::keyPressEvent(QKeyEvent* event) {
    const bool is_arrow = event->key() == Qt::Key_Left || event->key() == Qt::Key_Right;
    if (!is_arrow || !curves_ || curves_->nodes.empty()) {
        QWidget::keyPressEvent(event);
        return;
    }
    selectBeside(event->key() == Qt::Key_Left ? -1 : 1);
}

} // namespace inspector
