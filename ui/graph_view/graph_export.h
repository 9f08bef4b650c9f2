// The graph's picture as a file: SVG or PNG, at zoom 1, without selection and rings.
#pragma once

#include <QPalette>
#include <QRectF>
#include <QString>

#include "core/graph/result.h"
#include "ui/graph_view/graph_picture.h"

namespace inspector {

/// `area` of the scene; a null one is the whole graph. The file is written whole or not at all.
[[nodiscard]] Result<void> exportSvg(const GraphPicture& picture, const QString& path, const QRectF& area,
                                     const QPalette& palette);
/// One page as large as the picture, with text that can be searched. Smaller where a page would exceed 200 inches, which is
/// as large as readers show.
[[nodiscard]] Result<void> exportPdf(const GraphPicture& picture, const QString& path, const QRectF& area,
                                     const QPalette& palette);
/// `scale` is pixels per unit of the scene. Smaller where the image would exceed 32,000 pixels a side or 100 million in
/// all; the scale used is the result.
[[nodiscard]] Result<double> exportPng(const GraphPicture& picture, const QString& path, const QRectF& area,
                                       double scale, const QPalette& palette);

} // namespace inspector
