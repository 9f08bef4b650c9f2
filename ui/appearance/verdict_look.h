// How a decision looks in every panel: shape, letter and colour together, so that none of them has to be seen alone.
#pragma once

#include <QColor>
#include <QIcon>
#include <QString>

#include "core/passes/reinplace/decision.h"

class QPainter;

namespace inspector {

struct VerdictLook {
    enum class Shape {
        circle,   ///< reinplaced
        hexagon,  ///< scatter turned into a copy
        square,   ///< kept
        cross,    ///< deleted
        triangle, ///< the pass raises here
        ring,     ///< pending: outline only
    };
    Shape shape = Shape::ring;
    QString letter;           ///< one character, "" while pending
    QString word;             ///< "reinplaced", "kept", "forced"…
    QColor colour;            ///< fill (outline while pending), from Okabe–Ito
    QColor ink;               ///< the letter on it, contrast at least 4.5:1
    bool isStruck = false;    ///< the node's name is struck through
    bool hasWarningEdge = false; ///< forced against the policy
    bool losesBytes = false;  ///< kept, and that costs memory
};

/// `decision` nullptr: pending.
[[nodiscard]] VerdictLook verdictLook(const Decision* decision, bool dark);
/// Fills `box` (square it for an undistorted shape).
void paintVerdict(QPainter& painter, const QRectF& box, const VerdictLook& look);
/// The same as an icon, sharp at any size and resolution.
[[nodiscard]] QIcon verdictIcon(const VerdictLook& look);

} // namespace inspector
