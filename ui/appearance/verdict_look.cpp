#include "ui/appearance/verdict_look.h"

#include <cmath>
#include <numbers>

#include <QIconEngine>
#include <QPainter>
#include <QPainterPath>
#include <QPixmap>

namespace inspector {
namespace {

// Okabe and Ito's palette, distinguishable with every common colour vision; greys for what needs no attention.
const QColor bluishGreen("#009e73");
const QColor vermilion("#d55e00");
const QColor reddishPurple("#cc79a7");
const QColor skyBlue("#56b4e9");
const QColor yellow("#f0e442");

QPainterPath outline(VerdictLook::Shape shape, const QRectF& box) {
    QPainterPath path;
    const QPointF centre = box.center();
    const auto polygon = [&](int corners, double start, double radius) {
        QPolygonF points;
        for (int i = 0; i < corners; ++i) {
            const double angle = start + 2 * std::numbers::pi * i / corners;
            points << centre + QPointF(std::cos(angle), std::sin(angle)) * radius;
        }
        path.addPolygon(points);
        path.closeSubpath();
    };
    const double radius = std::min(box.width(), box.height()) / 2;
    switch (shape) {
    case VerdictLook::Shape::circle:
    case VerdictLook::Shape::ring:
        path.addEllipse(box);
        break;
    case VerdictLook::Shape::square:
    case VerdictLook::Shape::cross:
        path.addRoundedRect(box.adjusted(radius * 0.1, radius * 0.1, -radius * 0.1, -radius * 0.1), radius * 0.2, radius * 0.2);
        break;
    case VerdictLook::Shape::hexagon:
        polygon(6, 0, radius);
        break;
    case VerdictLook::Shape::triangle:
        polygon(3, -std::numbers::pi / 2, radius * 1.15);
        path.translate(0, radius * 0.2);
        break;
    }
    return path;
}

/// Draws at the size and resolution asked for, instead of scaling a picture.
class VerdictIconEngine : public QIconEngine {
public:
    explicit VerdictIconEngine(VerdictLook look) : look_(std::move(look)) {}
    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
        painter->save();
        if (mode == QIcon::Disabled) painter->setOpacity(0.5);
        const double side = std::min(rect.width(), rect.height()) * 0.88;
        QRectF box(0, 0, side, side);
        box.moveCenter(QRectF(rect).center());
        paintVerdict(*painter, box, look_);
        painter->restore();
    }
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, QRect(QPoint(0, 0), size), mode, state);
        return pixmap;
    }
    QIconEngine* clone() const override { return new VerdictIconEngine(look_); }

private:
    VerdictLook look_;
};

} // namespace

VerdictLook verdictLook(const Decision* decision, bool dark) {
    const QColor grey(QLatin1String(dark ? "#9aa1ab" : "#5d6570"));
    const QColor on_grey(dark ? Qt::black : Qt::white);
    VerdictLook look;
    look.colour = grey;
    look.ink = on_grey;
    look.word = QStringLiteral("pending");
    if (!decision) return look;

    switch (decision->verdict) {
    case Verdict::pending:
        return look;
    case Verdict::reinplaced:
        look.shape = VerdictLook::Shape::circle;
        look.letter = QStringLiteral("R");
        look.word = QStringLiteral("reinplaced");
        look.colour = bluishGreen;
        look.ink = Qt::black;
        break;
    case Verdict::scatter_to_copy:
        look.shape = VerdictLook::Shape::hexagon;
        look.letter = QStringLiteral("C");
        look.word = QStringLiteral("scatter to copy");
        look.colour = skyBlue;
        look.ink = Qt::black;
        break;
    case Verdict::deleted:
        look.shape = VerdictLook::Shape::cross;
        look.letter = QStringLiteral("×");
        look.word = QStringLiteral("deleted");
        look.isStruck = true;
        break;
    case Verdict::kept:
        look.shape = VerdictLook::Shape::square;
        look.letter = QStringLiteral("K");
        look.word = QStringLiteral("kept");
        look.losesBytes = decision->bytes > 0;
        if (look.losesBytes) {
            look.colour = vermilion;
            look.ink = Qt::black;
        }
        break;
    case Verdict::upstream_raises:
        look.shape = VerdictLook::Shape::triangle;
        look.letter = QStringLiteral("!");
        look.word = QStringLiteral("pass raises");
        look.colour = yellow;
        look.ink = Qt::black;
        break;
    }
    if (decision->reason == Reason::forced) {
        look.letter = QStringLiteral("F");
        look.word = QStringLiteral("forced");
        look.colour = reddishPurple;
        look.ink = Qt::black;
        look.hasWarningEdge = true;
    } else if (decision->reason == Reason::skipped) {
        look.letter = QStringLiteral("S");
        look.word = QStringLiteral("skipped");
    }
    return look;
}

void paintVerdict(QPainter& painter, const QRectF& box, const VerdictLook& look) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const double side = std::min(box.width(), box.height());
    const double stroke = std::max(1.0, side / 12);
    const QRectF inner = box.adjusted(stroke / 2, stroke / 2, -stroke / 2, -stroke / 2);
    const QPainterPath path = outline(look.shape, inner);
    if (look.shape == VerdictLook::Shape::ring) {
        painter.setPen(QPen(look.colour, stroke));
        painter.setBrush(Qt::NoBrush);
    } else {
        painter.setPen(look.hasWarningEdge ? QPen(vermilion, stroke * 1.5) : QPen(look.colour.darker(120), stroke));
        painter.setBrush(look.colour);
    }
    painter.drawPath(path);
    if (!look.letter.isEmpty()) {
        QFont font = painter.font();
        font.setBold(true);
        font.setPixelSize(std::max(4, static_cast<int>(side * 0.66)));
        painter.setFont(font);
        painter.setPen(look.ink);
        painter.drawText(path.boundingRect(), Qt::AlignCenter, look.letter);
    }
    painter.restore();
}

QIcon verdictIcon(const VerdictLook& look) { return QIcon(new VerdictIconEngine(look)); }

} // namespace inspector
