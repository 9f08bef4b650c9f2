#include "ui/palette/verdict_style.h"

#include <cmath>

#include <QCoreApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPainterPath>

#include "ui/appearance/theme.h"

namespace inspector {

VerdictMark verdictMark(const Decision* decision, bool isMiss) {
    if (!decision) return VerdictMark::pending;
    switch (decision->verdict) {
    case Verdict::pending: return VerdictMark::pending;
    case Verdict::reinplaced:
        return decision->choice == Choice::force ? VerdictMark::forced : VerdictMark::reinplaced;
    case Verdict::scatter_to_copy:
        return decision->choice == Choice::force ? VerdictMark::forced : VerdictMark::scatter_to_copy;
    case Verdict::deleted: return VerdictMark::deleted;
    case Verdict::kept:
        if (decision->choice == Choice::skip) return VerdictMark::skipped;
        return isMiss ? VerdictMark::missed : VerdictMark::kept;
    case Verdict::upstream_raises: return VerdictMark::raises;
    }
    return VerdictMark::pending;
}

static QString tr(const char* text) { return QCoreApplication::translate("VerdictStyle", text); }

static QColor inkOn(const QColor& background) {
    const QColor black(Qt::black);
    const QColor white(Qt::white);
    return contrast(background, black) >= contrast(background, white) ? black : white;
}

static VerdictStyle makeStyle(VerdictMark mark, bool is_dark) {
    using Shape = VerdictStyle::Shape;
    // One colour: what fills a shape, and for light and dark the same hue readable as a word and faint behind words.
    struct Colour { QRgb fill, word_light, word_dark, tint_light, tint_dark; };
    const Colour grey{is_dark ? 0x9AA3ADU : 0x8A929BU, 0x57606A, 0xA5ADB8, 0xF0F2F5, 0x2B3037};
    const Colour untinted{grey.fill, grey.word_light, grey.word_dark, 0xFFFFFF, 0x17191D};
    const Colour bluish_green{0x009E73, 0x00704F, 0x2FC79B, 0xE3F5EF, 0x173329};
    const Colour vermilion{0xD55E00, 0xA84300, 0xFF9A52, 0xFCEBDF, 0x402A1C};
    const Colour reddish_purple{0xCC79A7, 0x93366B, 0xE59AC3, 0xF9E9F2, 0x3D2635};
    const Colour orange{0xE69F00, 0x855900, 0xF0B440, 0xFDF2DC, 0x3D3119};

    const auto style = [is_dark](Shape shape, char letter, const Colour& colour, const QString& word) {
        return VerdictStyle{.shape = shape,
                            .letter = letter ? QChar::fromLatin1(letter) : QChar(),
                            .fill = QColor(colour.fill),
                            .ink = inkOn(QColor(colour.fill)),
                            .text = QColor(is_dark ? colour.word_dark : colour.word_light),
                            .tint = QColor(is_dark ? colour.tint_dark : colour.tint_light),
                            .word = word};
    };
    switch (mark) {
    case VerdictMark::none: return style(Shape::none, 0, grey, {});
    case VerdictMark::pending: return style(Shape::ring, 0, untinted, tr("pending"));
    case VerdictMark::reinplaced: return style(Shape::circle, 'R', bluish_green, tr("reinplaced"));
    case VerdictMark::scatter_to_copy: return style(Shape::square, 'C', bluish_green, tr("scatter to copy"));
    case VerdictMark::deleted: return style(Shape::bar, 'D', grey, tr("deleted"));
    case VerdictMark::missed: return style(Shape::diamond, 'M', vermilion, tr("missed"));
    case VerdictMark::kept: return style(Shape::dash, 'K', grey, tr("kept"));
    case VerdictMark::forced: return style(Shape::triangle, 'F', reddish_purple, tr("forced"));
    case VerdictMark::skipped: return style(Shape::diamond, 'S', orange, tr("skipped"));
    case VerdictMark::raises: return style(Shape::octagon, '!', orange, tr("upstream raises"));
    }
    return {};
}

const VerdictStyle& verdictStyle(VerdictMark mark, Scheme scheme) {
    using Styles = std::array<VerdictStyle, all_verdict_marks.size()>;
    static const std::array<Styles, 2> styles = [] {
        std::array<Styles, 2> made;
        for (const VerdictMark each : all_verdict_marks) {
            made[0][static_cast<std::size_t>(each)] = makeStyle(each, false);
            made[1][static_cast<std::size_t>(each)] = makeStyle(each, true);
        }
        return made;
    }();
    return styles[scheme == Scheme::dark ? 1 : 0][static_cast<std::size_t>(mark)];
}

// In the unit square: x to the right, y down. Pointed shapes reach a little over it to look as large as round ones.
static QPainterPath unitOutline(VerdictStyle::Shape shape) {
    using Shape = VerdictStyle::Shape;
    QPainterPath path;
    const auto polygon = [&path](const QPolygonF& points) {
        path.addPolygon(points);
        path.closeSubpath();
    };
    switch (shape) {
    case Shape::none: break;
    case Shape::ring: path.addEllipse(QRectF(0.18, 0.18, 0.64, 0.64)); break;
    case Shape::circle: path.addEllipse(QRectF(0.03, 0.03, 0.94, 0.94)); break;
    case Shape::square: path.addRoundedRect(QRectF(0.07, 0.07, 0.86, 0.86), 0.12, 0.12); break;
    case Shape::bar: path.addRect(QRectF(0, 0.14, 1, 0.72)); break;
    case Shape::dash: path.addRoundedRect(QRectF(0, 0.14, 1, 0.72), 0.36, 0.36); break;
    case Shape::diamond: polygon({{0.5, -0.06}, {1.06, 0.5}, {0.5, 1.06}, {-0.06, 0.5}}); break;
    case Shape::triangle: polygon({{0.5, -0.1}, {1.1, 0.98}, {-0.1, 0.98}}); break;
    case Shape::octagon:
        polygon({{0.3, 0}, {0.7, 0}, {1, 0.3}, {1, 0.7}, {0.7, 1}, {0.3, 1}, {0, 0.7}, {0, 0.3}});
        break;
    }
    return path;
}

void paintVerdict(QPainter& painter, const QRectF& area, VerdictMark mark, Scheme scheme) {
    using Shape = VerdictStyle::Shape;
    const VerdictStyle& style = verdictStyle(mark, scheme);
    if (style.shape == Shape::none) return;
    const double side = std::min(area.width(), area.height());
    const QPointF corner = area.center() - QPointF(side, side) / 2;
    const QPainterPath path =
        QTransform::fromTranslate(corner.x(), corner.y()).scale(side, side).map(unitOutline(style.shape));
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    if (style.shape == Shape::ring) {
        painter.strokePath(path, QPen(style.fill, side * 0.1));
        painter.restore();
        return;
    }
    painter.fillPath(path, style.fill);
    if (side * std::abs(painter.worldTransform().m11()) < 7) { // no letter could be read
        painter.restore();
        return;
    }

    const bool is_triangle = style.shape == Shape::triangle; // its letter sits in the lower, wider part
    QFont font = painter.font();
    font.setBold(true);
    font.setPixelSize(std::max(1, qRound(side * (is_triangle ? 0.58 : 0.68))));
    painter.setFont(font);
    painter.setPen(style.ink);
    painter.drawText(QRectF(corner - QPointF(side, side), QSizeF(3 * side, 3 * side))
                         .translated(0, is_triangle ? side * 0.12 : 0),
                     Qt::AlignCenter, QString(style.letter));
    painter.restore();
}

namespace {

class VerdictIconEngine : public QIconEngine {
public:
    VerdictIconEngine(VerdictMark mark, Scheme scheme) : mark_(mark), scheme_(scheme) {}
    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
        const double margin = rect.height() / 10.0;
        if (mode == QIcon::Disabled) painter->setOpacity(0.5);
        paintVerdict(*painter, QRectF(rect).adjusted(margin, margin, -margin, -margin), mark_, scheme_);
    }
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, QRect(QPoint(), size), mode, state);
        return pixmap;
    }
    QIconEngine* clone() const override { return new VerdictIconEngine(*this); }

private:
    VerdictMark mark_;
    Scheme scheme_;
};

} // namespace

QIcon verdictIcon(VerdictMark mark, Scheme scheme) { return QIcon(new VerdictIconEngine(mark, scheme)); }

} // namespace inspector
