#include "ui/graph_view/node_card.h"

#include <cmath>

#include <QFontMetricsF>
#include <QPainter>
#include <QPalette>

#include "ui/appearance/theme.h"
#include "ui/palette/storage_style.h"

namespace inspector {

namespace {

constexpr qsizetype longestName = 32;
constexpr qsizetype longestType = 28;
constexpr qsizetype longestTarget = 48;
constexpr qsizetype longestReference = 18;
constexpr double grid = 8;
constexpr double strip = 4;
constexpr double padding = 8;
constexpr double badge = 16;
constexpr double columnGap = 16;
constexpr double radius = 4;
constexpr double roundedZoom = 0.5;
constexpr double wordyZoom = 0.4; ///< below it only names are written

QString cutMiddle(const QString& text, qsizetype length) {
    if (text.size() <= length) return text;
    const qsizetype tail = length / 2;
    return text.left(length - tail - 1) + QChar(0x2026) + text.right(tail);
}

QString cutEnd(const QString& text, qsizetype length) {
    return text.size() <= length ? text : text.left(length - 1) + QChar(0x2026);
}

} // namespace

CanvasColours CanvasColours::of(const QPalette& palette) {
    const ThemeColours& theme = themeColours(palette);
    return {schemeOf(palette),
            palette.color(QPalette::Base),
            palette.color(QPalette::Window),
            palette.color(QPalette::Text),
            theme.muted,
            palette.color(QPalette::Mid),
            theme.separator,
            theme.current};
}

QColor CanvasColours::overview(VerdictMark mark) const {
    const QColor fill = verdictStyle(mark, scheme).fill;
    switch (mark) {
    case VerdictMark::none:
    case VerdictMark::pending: return border;
    case VerdictMark::kept: {
        const auto between = [](int a, int b) { return (a + b) / 2; };
        return {between(fill.red(), border.red()), between(fill.green(), border.green()),
                between(fill.blue(), border.blue())};
    }
    default: return fill;
    }
}

NodeCard::NodeCard(const QFont& font) : font_(font), smallFont_(font) {
    smallFont_.setPointSizeF(font.pointSizeF() * 0.85);
    const QFontMetricsF metrics(font_);
    character_ = metrics.horizontalAdvance(QLatin1Char('0'));
    line_ = std::ceil(metrics.height());
    ascent_ = metrics.ascent();
    height_ = std::ceil((2 * line_ + padding) / grid) * grid;
    const QFontMetricsF small(smallFont_);
    smallCharacter_ = small.horizontalAdvance(QLatin1Char('0'));
    referenceHeight_ = std::ceil(small.height()) + 2;
}

QSizeF NodeCard::size(const NodeContent& node) const {
    const double left = strip + padding + (node.mark == VerdictMark::none ? 0 : badge + padding);
    const auto name = static_cast<double>(std::min(node.name.size(), longestName));
    const auto type = static_cast<double>(std::min(node.type.size(), longestType));
    // Room for the underscore that an in-place target gains, so that nothing moves when a node is rewritten.
    const auto target = static_cast<double>(std::min(node.target.size() + 1, longestTarget));
    const double first = name * character_ + (node.type.isEmpty() ? 0 : columnGap + type * character_);
    const double width = left + std::max(first, target * character_) + padding;
    return {std::ceil(width / grid) * grid, height_};
}

void NodeCard::paint(QPainter& painter, const QRectF& area, const NodeContent& node,
                     const CanvasColours& colours) const {
    const Scheme scheme = colours.scheme;
    const VerdictStyle& verdict = verdictStyle(node.mark, scheme);
    const double cornerRadius = node.isInput ? area.height() / 2 : radius;
    const bool isForced = node.mark == VerdictMark::forced;
    const double opacity = painter.opacity();
    if (node.isErased) painter.setOpacity(opacity * 0.6);

    const QColor edge = node.mark == VerdictMark::none ? colours.muted : verdict.text;
    const QColor fill = node.mark == VerdictMark::none ? colours.window : verdict.tint;
    // Rounded corners and dashes cost more than all the rest of a card: only where they can be seen.
    const double zoom = painter.worldTransform().m11();
    const bool isPlain = zoom < roundedZoom && !node.isInput && !isForced;
    if (isPlain) {
        painter.fillRect(area, edge);
        painter.fillRect(area.adjusted(1, 1, -1, -1), fill);
    } else {
        painter.setRenderHint(QPainter::Antialiasing);
        const Qt::PenStyle line = isForced ? Qt::NoPen : node.beside == no_node ? Qt::SolidLine : Qt::DashLine;
        painter.setPen(QPen(edge, 1, line));
        painter.setBrush(fill);
        painter.drawRoundedRect(area, cornerRadius, cornerRadius);
    }
    if (isForced) {
        // A warning edge: stripes.
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(verdict.text, 3));
        painter.drawRoundedRect(area, cornerRadius, cornerRadius);
        QPen stripes(colours.base, 3, Qt::CustomDashLine, Qt::FlatCap);
        stripes.setDashPattern({1.5, 1.5});
        painter.setPen(stripes);
        painter.drawRoundedRect(area, cornerRadius, cornerRadius);
    }
    if (node.storage != 0) {
        const double inset = node.isInput ? area.height() / 4 : 1;
        painter.fillRect(QRectF(area.left() + 1, area.top() + inset, strip, area.height() - 2 * inset),
                         storageStyle(node.storage, scheme).line);
    }

    const bool hasBadge = node.mark != VerdictMark::none;
    const double left = area.left() + strip + padding + (hasBadge ? badge + padding : 0);
    const double right = area.right() - padding;
    const double top = area.center().y() - line_;
    if (hasBadge)
        paintVerdict(painter, QRectF(area.left() + strip + padding, top + (line_ - badge) / 2, badge, badge), node.mark,
                     scheme);
    painter.setFont(font_);
    painter.setPen(colours.text);
    painter.drawText(QPointF(left, top + ascent_), cutMiddle(node.name, longestName));
    if (zoom >= wordyZoom) {
        const QString type = cutEnd(node.type, longestType);
        painter.setPen(colours.muted);
        painter.drawText(QPointF(right - static_cast<double>(type.size()) * character_, top + ascent_), type);
        painter.drawText(QPointF(left, top + line_ + ascent_), cutMiddle(node.target, longestTarget));
    }
    if (node.isErased) {
        painter.setPen(QPen(colours.text, 1.5));
        for (const double y : {top + line_ / 2, top + 1.5 * line_})
            painter.drawLine(QPointF(left - 2, y), QPointF(right + 2, y));
        painter.setOpacity(opacity);
    }
}

double NodeCard::referenceWidth(const NodeContent& node) const {
    // "↑ " before the name, and room for the count behind it: " +12"
    const auto characters = static_cast<double>(std::min(node.name.size(), longestReference) + 2 + 4);
    return std::ceil(characters * smallCharacter_ + padding);
}

void NodeCard::paintReference(QPainter& painter, const QRectF& area, const QString& text,
                              const CanvasColours& colours) const {
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(colours.border, 1));
    painter.setBrush(colours.base);
    painter.drawRoundedRect(area, area.height() / 2, area.height() / 2);
    painter.setFont(smallFont_);
    painter.setPen(colours.muted);
    const auto fits = static_cast<qsizetype>((area.width() - padding) / smallCharacter_);
    painter.drawText(area, Qt::AlignCenter | Qt::TextSingleLine, cutMiddle(text, fits));
}

void NodeCard::paintDifference(QPainter& painter, QPointF corner, Judgement judgement, const CanvasColours& colours) const {
    const VerdictStyle& style = verdictStyle(judgement == Judgement::unsound ? VerdictMark::missed : VerdictMark::skipped, colours.scheme);
    const bool isWrong = judgement == Judgement::unsound;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(isWrong ? colours.base : style.text, 1.5));
    painter.setBrush(isWrong ? style.text : colours.base);
    painter.drawEllipse(corner, 8, 8);
    painter.setPen(QPen(isWrong ? colours.base : style.text, 1.5, Qt::SolidLine, Qt::RoundCap));
    for (const double y : {-2.0, 2.0}) painter.drawLine(corner + QPointF(-4, y), corner + QPointF(4, y));
    painter.drawLine(corner + QPointF(2, -5), corner + QPointF(-2, 5));
}

void NodeCard::paintNumber(QPainter& painter, QPointF corner, int number, const CanvasColours& colours) const {
    const QString text = QString::number(number);
    const double width = std::max(20.0, 12 + static_cast<double>(text.size()) * character_);
    const QRectF area(corner.x() - width / 2, corner.y() - 10, width, 20);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(colours.base, 1.5));
    painter.setBrush(colours.text);
    painter.drawRoundedRect(area, 10, 10);
    QFont bold = font_;
    bold.setBold(true);
    painter.setFont(bold);
    painter.setPen(colours.base);
    painter.drawText(area, Qt::AlignCenter, text);
}

} // namespace inspector
