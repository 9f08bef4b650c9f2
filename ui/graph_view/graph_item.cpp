#include "ui/graph_view/graph_item.h"

#include <array>
#include <utility>

#include <QPaintEngine>
#include <QPainter>
#include <QPainterPath>
#include <QPalette>
#include <QStyleOptionGraphicsItem>

#include "ui/palette/storage_style.h"

namespace inspector {

namespace {

constexpr double bandMargin = 8;
constexpr double bandRadius = 10;
constexpr double ringGap = 5;
constexpr double margin = 32; ///< of the item around the picture: rings, numbers and bands stick out

void addRoute(QPainterPath& path, std::span<const LayoutPoint> route) {
    const auto at = [&](std::size_t i) { return QPointF(route[i].x, route[i].y); };
    path.moveTo(at(0));
    for (std::size_t i = 1; i + 2 < route.size(); i += 3) path.cubicTo(at(i), at(i + 1), at(i + 2));
}

/// From the value's lower to the reader's upper edge, for a route that no layout has.
QPainterPath straightDown(const QRectF& from, const QRectF& to) {
    const QPointF start(from.center().x(), from.bottom());
    const QPointF end(to.center().x(), to.top());
    const double reach = std::min(std::abs(end.y() - start.y()) / 2, 200.0);
    QPainterPath path(start);
    path.cubicTo(start + QPointF(0, reach), end - QPointF(0, reach), end);
    return path;
}

} // namespace

struct GraphItem::Visible {
    QRectF area;
    std::vector<GraphPicture::RowRange> rows;
    std::vector<const GraphPicture::Edge*> edges; ///< that have a route
    std::vector<std::uint32_t> nodes;
};

GraphItem::GraphItem(const GraphPicture& picture) : picture_(picture) {
    setFlag(QGraphicsItem::ItemUsesExtendedStyleOption);
}

void GraphItem::updatePicture() {
    prepareGeometryChange();
    bounds_ = picture_.hasLayout() ? picture_.bounds().adjusted(-margin, -margin, margin, margin) : QRectF();
    setEmphasis(emphasis_);
}

void GraphItem::setEmphasis(GraphEmphasis emphasis) {
    emphasis_ = std::move(emphasis);
    emphasizedEdges_.clear();
    if (picture_.hasLayout() && emphasis_.selected != GraphPicture::none)
        emphasizedEdges_ = picture_.edgesAt(emphasis_.selected);
    update();
}

void GraphItem::setPalette(const QPalette& palette) {
    colours_ = CanvasColours::of(palette);
    update();
}

StorageId GraphItem::selectedStorage() const {
    return emphasis_.selected == GraphPicture::none ? 0 : picture_.content().nodes[emphasis_.selected].storage;
}

void GraphItem::paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget*) {
    if (!picture_.hasLayout()) return;
    Visible visible;
    visible.area = option->exposedRect.adjusted(-margin, -margin, margin, margin);
    visible.rows = picture_.rowsIn(visible.area);
    for (const GraphPicture::RowRange rows : visible.rows) {
        for (const GraphPicture::Edge& edge : picture_.edgesAcross(rows))
            if (!edge.route.empty()) visible.edges.push_back(&edge);
        for (std::uint32_t row = rows.first; row < rows.last; ++row) {
            for (const std::uint32_t node : picture_.nodesIn(row)) {
                const QRectF& rect = picture_.rect(node);
                const bool isSeen = rect.right() >= visible.area.left() && rect.left() <= visible.area.right();
                if (isSeen) visible.nodes.push_back(node);
            }
        }
    }
    const double zoom = QStyleOptionGraphicsItem::levelOfDetailFromTransform(painter->worldTransform());
    QPen columnPen(colours_.separator, 1);
    columnPen.setCosmetic(true);
    painter->setPen(columnPen);
    for (const QLineF& line : picture_.columnLines()) painter->drawLine(line);
    if (zoom < detailedZoom) paintFar(*painter, visible, zoom);
    else paintNear(*painter, visible);
    paintMarks(*painter, zoom);
}

// --- from afar -------------------------------------------------------------------------------------------------------

void GraphItem::paintFar(QPainter& painter, const Visible& visible, double zoom) const {
    const Scheme scheme = colours_.scheme;
    const GraphContent& content = picture_.content();
    painter.setRenderHint(QPainter::Antialiasing, false);

    // Lines a pixel wide whatever the zoom; where a row is thinner than a pixel they would only be grey.
    if (zoom > 0.02) {
        QVector<QLineF> lines;
        for (const GraphPicture::Edge* edge : visible.edges) {
            const LayoutPoint first = edge->route.front();
            const LayoutPoint last = edge->route.back();
            lines << QLineF(first.x, first.y, last.x, last.y);
        }
        painter.setPen(QPen(colours_.separator, 0));
        painter.drawLines(lines);
    }

    if (!emphasizedEdges_.empty()) {
        QVector<QLineF> lines;
        for (const std::uint32_t index : emphasizedEdges_) {
            const GraphPicture::Edge& edge = picture_.edges()[index];
            const bool isRevealed = edge.to == emphasis_.selected ? emphasis_.revealsInputs : emphasis_.revealsOutputs;
            if (isRevealed) lines << QLineF(picture_.rect(edge.from).center(), picture_.rect(edge.to).center());
        }
        QPen pen(colours_.text, 2);
        pen.setCosmetic(true);
        painter.setPen(pen);
        painter.drawLines(lines);
    }

    // Batches of one colour: the bands, then the nodes.
    std::array<QVector<QRectF>, storage_hue_count> bands;
    std::array<QVector<QRectF>, all_verdict_marks.size()> nodes;
    QVector<QRectF> chosen;
    const StorageId selected = selectedStorage();
    for (const std::uint32_t node : visible.nodes) {
        const QRectF& rect = picture_.rect(node);
        const NodeContent& shown = content.nodes[node];
        if (picture_.isShared(shown.storage)) {
            const QRectF band = rect.adjusted(-bandMargin, -bandMargin, bandMargin, bandMargin);
            if (shown.storage == selected) chosen << band;
            else bands[(shown.storage - 1) % storage_hue_count] << band;
        }
        nodes[static_cast<std::size_t>(shown.mark)] << rect;
    }
    painter.setPen(Qt::NoPen);
    for (std::size_t hue = 0; hue < bands.size(); ++hue) {
        painter.setBrush(storageStyle(static_cast<StorageId>(hue + 1), scheme).band);
        painter.drawRects(bands[hue]);
    }
    painter.setBrush(storageStyle(selected, scheme).line);
    painter.drawRects(chosen);
    for (const VerdictMark mark : all_verdict_marks) {
        const QVector<QRectF>& rects = nodes[static_cast<std::size_t>(mark)];
        painter.setBrush(colours_.overview(mark));
        painter.drawRects(rects);
    }
}

// --- near ------------------------------------------------------------------------------------------------------------

void GraphItem::paintNear(QPainter& painter, const Visible& visible) const {
    painter.setRenderHint(QPainter::Antialiasing);
    paintBands(painter, visible, false);
    if (selectedStorage() != 0) paintBands(painter, visible, true);
    paintEdges(painter, visible);
    paintEmphasizedEdges(painter);
    paintReferences(painter, visible);
    for (const std::uint32_t node : visible.nodes)
        picture_.card().paint(painter, picture_.rect(node), picture_.content().nodes[node], colours_);
    for (const std::uint32_t node : visible.nodes)
        if (const Judgement judgement = picture_.content().nodes[node].judgement; judgement != Judgement::alike)
            picture_.card().paintDifference(painter, picture_.rect(node).topRight(), judgement, colours_);
}

// A storage's band: a margin around its values, joined along the edges that lead from value to view. Opaque, so that
// where two parts of one band meet nothing is darker.
void GraphItem::paintBands(QPainter& painter, const Visible& visible, bool ofSelection) const {
    const Scheme scheme = colours_.scheme;
    const GraphContent& content = picture_.content();
    const StorageId selected = selectedStorage();
    // A hatch keeps its size and would cover all when far away; in an SVG few viewers draw it.
    const bool isSvg = painter.paintEngine()->type() == QPaintEngine::SVG;
    const bool showsPatterns = painter.worldTransform().m11() >= 0.5 && !isSvg;
    const auto isWanted = [&](StorageId storage) {
        return picture_.isShared(storage) && (storage == selected) == ofSelection;
    };
    // The selection's band is stronger and has an outline: drawn first in the hue's full colour, a little larger.
    for (const double outline : ofSelection ? std::vector<double>{2, 0} : std::vector<double>{0}) {
        for (const GraphPicture::Edge* edge : visible.edges) {
            const StorageId storage = content.nodes[edge->from].storage;
            if (edge->kind == EdgeKind::data || !isWanted(storage)) continue;
            const StorageStyle style = storageStyle(storage, scheme);
            QPainterPath path;
            addRoute(path, edge->route);
            const QColor& colour = outline > 0 ? style.line : style.band;
            painter.strokePath(path, QPen(colour, 2 * (bandMargin + outline), Qt::SolidLine, Qt::FlatCap));
        }
        for (const std::uint32_t node : visible.nodes) {
            const StorageId storage = content.nodes[node].storage;
            if (content.nodes[node].isErased || !isWanted(storage)) continue;
            const StorageStyle style = storageStyle(storage, scheme);
            const double grow = bandMargin + outline;
            const QRectF band = picture_.rect(node).adjusted(-grow, -grow, grow, grow);
            painter.setPen(Qt::NoPen);
            painter.setBrush(outline > 0 ? style.line : style.band);
            painter.drawRoundedRect(band, bandRadius + outline, bandRadius + outline);
            if (outline > 0 || style.pattern == Qt::SolidPattern || !showsPatterns) continue;
            QColor hatch = style.line;
            hatch.setAlphaF(0.35F);
            painter.setBrush(QBrush(hatch, style.pattern));
            painter.drawRoundedRect(band, bandRadius, bandRadius);
        }
    }
}

void GraphItem::paintEdges(QPainter& painter, const Visible& visible) const {
    const Scheme scheme = colours_.scheme;
    const GraphContent& content = picture_.content();
    QPainterPath data;
    for (const GraphPicture::Edge* edge : visible.edges)
        if (edge->kind == EdgeKind::data) addRoute(data, edge->route);
    painter.strokePath(data, QPen(colours_.muted, 1));
    for (const GraphPicture::Edge* edge : visible.edges) {
        if (edge->kind == EdgeKind::data) continue;
        const StorageId storage = content.nodes[edge->from].storage;
        QPen pen(storageStyle(storage, scheme).line, 2);
        if (edge->kind == EdgeKind::view) pen.setDashPattern(viewEdgeDashes(storage));
        QPainterPath path;
        addRoute(path, edge->route);
        painter.strokePath(path, pen);
    }
}

void GraphItem::paintEmphasizedEdges(QPainter& painter) const {
    const Scheme scheme = colours_.scheme;
    for (const std::uint32_t index : emphasizedEdges_) {
        const GraphPicture::Edge& edge = picture_.edges()[index];
        const bool isInput = edge.to == emphasis_.selected;
        const bool isRevealed = isInput ? emphasis_.revealsInputs : emphasis_.revealsOutputs;
        if (edge.route.empty() && !isRevealed) continue;
        const StorageId storage = picture_.content().nodes[edge.from].storage;
        const bool isAlias = edge.kind != EdgeKind::data;
        QPen pen(isAlias ? storageStyle(storage, scheme).line : colours_.text, isRevealed ? 3 : 2);
        if (edge.kind == EdgeKind::view) pen.setDashPattern(viewEdgeDashes(storage));
        QPainterPath path;
        if (edge.route.empty()) path = straightDown(picture_.rect(edge.from), picture_.rect(edge.to));
        else addRoute(path, edge.route);
        painter.strokePath(path, pen);
    }
}

void GraphItem::paintReferences(QPainter& painter, const Visible& visible) const {
    const GraphContent& content = picture_.content();
    std::vector<const GraphPicture::Reference*> references;
    for (const GraphPicture::RowRange rows : visible.rows)
        for (const GraphPicture::Reference& reference : picture_.referencesIn(rows)) references.push_back(&reference);
    for (const GraphPicture::Reference* const each : references) {
        const GraphPicture::Reference& reference = *each;
        const QRectF& node = picture_.rect(reference.node);
        const bool isAbove = reference.isAboveReader;
        const QPointF start = isAbove ? QPointF(reference.rect.center().x(), reference.rect.bottom())
                                      : QPointF(node.center().x(), node.bottom());
        // It meets the card where the reference is, as far as the card reaches.
        const double x = std::clamp(reference.rect.center().x(), node.left() + bandMargin, node.right() - bandMargin);
        const QPointF top(reference.rect.center().x(), reference.rect.top());
        const QPointF end = isAbove ? QPointF(x, node.top()) : top;
        const double middle = (start.y() + end.y()) / 2;
        QPainterPath path(start);
        path.cubicTo({start.x(), middle}, {end.x(), middle}, end);
        QPen pen(colours_.muted, 1, Qt::DotLine);
        painter.strokePath(path, pen);

        const QString arrow(QChar(isAbove ? 0x2191 : 0x2193));
        const QString& first = content.nodes[reference.others.front()].name;
        const std::size_t others = reference.others.size() - 1;
        const QString more = others > 0 ? QStringLiteral(" +%1").arg(others) : QString();
        picture_.card().paintReference(painter, reference.rect, arrow + QLatin1Char(' ') + first + more, colours_);
    }
}

// --- marks: drawn at any zoom, never thinner than they can be seen ---------------------------------------------------

void GraphItem::paintMarks(QPainter& painter, double zoom) const {
    const double pixel = 1 / std::min(zoom, 1.0);
    const bool isNear = zoom >= detailedZoom;
    painter.setBrush(Qt::NoBrush);
    painter.setRenderHint(QPainter::Antialiasing, isNear);
    if (emphasis_.selected != GraphPicture::none) {
        const QColor colour = colours_.text;
        painter.setPen(QPen(colour, isNear ? 2.5 : 2 * pixel, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
        painter.drawRect(picture_.rect(emphasis_.selected).adjusted(-2, -2, 2, 2));
    }
    if (emphasis_.current != GraphPicture::none) {
        const double gap = isNear ? ringGap : std::max(ringGap, 2 * pixel);
        painter.setPen(QPen(colours_.current, isNear ? 3.5 : 3 * pixel));
        const QRectF ring = picture_.rect(emphasis_.current).adjusted(-gap, -gap, gap, gap);
        painter.drawRoundedRect(ring, bandRadius, bandRadius);
    }
    // From afar the first numbers keep their size on screen; more would hide what they number.
    constexpr std::size_t mostFromAfar = 20;
    const std::size_t shown = isNear ? emphasis_.numbered.size() : std::min(emphasis_.numbered.size(), mostFromAfar);
    for (std::size_t i = 0; i < shown; ++i) {
        const QRectF& card = picture_.rect(emphasis_.numbered[i]);
        painter.save();
        painter.translate(card.topLeft());
        if (!isNear) painter.scale(pixel, pixel);
        picture_.card().paintNumber(painter, QPointF(), static_cast<int>(i + 1), colours_);
        painter.restore();
    }
}

} // namespace inspector
