// How a verdict looks, the same in every panel: colour of Okabe and Ito's palette, a shape and a letter.
// Never by colour alone: https://jfly.uni-koeln.de/color/
#pragma once

#include <array>

#include <QChar>
#include <QColor>
#include <QIcon>
#include <QRectF>
#include <QString>

#include "core/passes/reinplace/decision.h"
#include "ui/palette/scheme.h"

class QPainter;

namespace inspector {

/// What a person sees of a decision: finer than Verdict.
enum class VerdictMark : std::uint8_t {
    none,             ///< no decision is made on this node: a placeholder, the output
    pending,
    reinplaced,
    scatter_to_copy,
    deleted,
    missed,           ///< kept, although the operator could have saved memory
    kept,             ///< kept, and nothing is lost
    forced,           ///< rewritten because a person said so
    skipped,          ///< kept because a person said so
    raises,           ///< upstream's pass ends in an exception here
};
inline constexpr std::array all_verdict_marks{
    VerdictMark::none, VerdictMark::pending, VerdictMark::reinplaced, VerdictMark::scatter_to_copy,
    VerdictMark::deleted, VerdictMark::missed, VerdictMark::kept, VerdictMark::forced, VerdictMark::skipped,
    VerdictMark::raises,
};

/// nullptr is pending. `isMiss`: ReinplaceSession::is_miss says so. See verdictMark(Document, NodeId) in describe.h.
[[nodiscard]] VerdictMark verdictMark(const Decision* decision, bool isMiss);

struct VerdictStyle {
    enum class Shape : std::uint8_t { none, ring, circle, square, bar, diamond, dash, triangle, octagon };
    Shape shape = Shape::none;
    QChar letter;          ///< null where the shape alone says it
    QColor fill;           ///< of the shape, of an overview
    QColor ink;            ///< the letter on `fill`: at least 4.5:1
    QColor text;           ///< the verdict's word on base or window: at least 4.5:1
    QColor tint;           ///< behind text in the scheme's text colour: at least 7:1
    QString word;          ///< "reinplaced", "missed": translated
};
[[nodiscard]] const VerdictStyle& verdictStyle(VerdictMark mark, Scheme scheme);

/// The shape with its letter, as large as fits in `area`; nothing for `none`.
void paintVerdict(QPainter& painter, const QRectF& area, VerdictMark mark, Scheme scheme);
/// The same for lists and menus, crisp at any device pixel ratio.
[[nodiscard]] QIcon verdictIcon(VerdictMark mark, Scheme scheme);

} // namespace inspector
