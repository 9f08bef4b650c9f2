// A storage's hue, the same in every panel: twelve hues by storage id, then the same hues again with a pattern.
#pragma once

#include <QBrush>
#include <QColor>
#include <QRectF>
#include <QVector>

#include "core/operators/infer.h"
#include "ui/palette/scheme.h"

class QPainter;

namespace inspector {

inline constexpr int storage_hue_count = 12;

struct StorageStyle {
    QColor line;                                ///< outlines, view edges, the storage's name: at least 4.5:1 on base
    QColor band;                                ///< behind nodes and rows; the scheme's text is at least 7:1 on it
    Qt::BrushStyle pattern = Qt::SolidPattern;  ///< solid for the first twelve, a hatch in `line` over `band` later
    int hue = 0;                                ///< 0 to 11
    int round = 0;                              ///< how often the hues have been used up before
};
/// Storage 0 (no storage) is grey.
[[nodiscard]] StorageStyle storageStyle(StorageId storage, Scheme scheme);

/// A small rounded swatch with an outline, for lists.
void paintStorageSwatch(QPainter& painter, const QRectF& area, StorageId storage, Scheme scheme);
/// Dash pattern of a view edge, in pen widths; differs between rounds.
[[nodiscard]] QVector<qreal> viewEdgeDashes(StorageId storage);

} // namespace inspector
