// How one node looks: a card of two lines.
//
//     ┌──────────────────────────────┐
//     ▌ R  %add_3       f32[2, 8, 64]│   verdict, name, type
//     ▌    aten.add_.Tensor          │   target; the strip at the left has the storage's hue
//     └──────────────────────────────┘
#pragma once

#include <QFont>
#include <QRectF>

#include "ui/graph_view/graph_content.h"

class QPainter;
class QPalette;

namespace inspector {

/// The colours cards and what is around them are drawn in, looked up once per palette.
struct CanvasColours {
    Scheme scheme = Scheme::light;
    QColor base, window, text, muted, border, separator, current;

    [[nodiscard]] static CanvasColours of(const QPalette& palette);
    /// Of a node that is only a rectangle: what changed or was missed stands out, what was kept or is pending does not.
    [[nodiscard]] QColor overview(VerdictMark mark) const;
};

class NodeCard {
public:
    /// `font` is a fixed-width one: sizes are counted in characters, which keeps 50,000 cards cheap.
    explicit NodeCard(const QFont& font);

    [[nodiscard]] QSizeF size(const NodeContent& node) const;
    [[nodiscard]] double height() const { return height_; }
    /// The whole card, at zoom 1; `area` may be anywhere.
    void paint(QPainter& painter, const QRectF& area, const NodeContent& node, const CanvasColours& colours) const;

    /// The sign that stands for a node far away.
    [[nodiscard]] double referenceWidth(const NodeContent& node) const;
    [[nodiscard]] double referenceHeight() const { return referenceHeight_; }
    void paintReference(QPainter& painter, const QRectF& area, const QString& text, const CanvasColours& colours) const;

    /// "≠" around a corner: other policies decide otherwise. Filled where one of them is wrong, else a ring.
    void paintDifference(QPainter& painter, QPointF corner, Judgement judgement, const CanvasColours& colours) const;
    /// A node's number in a list of evidence, around its card's corner.
    void paintNumber(QPainter& painter, QPointF corner, int number, const CanvasColours& colours) const;

private:
    QFont font_;
    QFont smallFont_;
    double character_ = 0;      ///< width of one
    double smallCharacter_ = 0;
    double line_ = 0;           ///< height of one
    double ascent_ = 0;         ///< from a line's top to its baseline
    double height_ = 0;
    double referenceHeight_ = 0;
};

} // namespace inspector
