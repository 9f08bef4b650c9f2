#include "ui/graph_view/graph_export.h"

#include <algorithm>
#include <cmath>

#include <QFileInfo>
#include <QImage>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QSaveFile>
#include <QStyleOptionGraphicsItem>
#include <QSvgGenerator>

#include "ui/graph_view/graph_item.h"

namespace inspector {

namespace {

constexpr double longestSide = 32000; // QPainter's raster engine ends at 32,767
constexpr double points_per_unit = 72.0 / 96; // of the scene
constexpr double longestPage = 14400;          // points
constexpr double mostPixels = 100e6;  // 400 MB

tl::unexpected<Error> failed(const QString& path, const QString& reason) {
    return tl::unexpected<Error>(Error{path.toStdString(), {}, reason.toStdString()});
}

void paint(QPainter& painter, const GraphPicture& picture, const QRectF& area, const QPalette& palette) {
    GraphItem item(picture);
    item.setPalette(palette);
    item.updatePicture();
    QStyleOptionGraphicsItem option;
    option.exposedRect = area;
    painter.setClipRect(area);
    painter.fillRect(area, palette.color(QPalette::Base));
    item.paint(&painter, &option, nullptr);
}

QRectF areaOf(const GraphPicture& picture, const QRectF& wanted) {
    GraphItem item(picture);
    item.updatePicture();
    return wanted.isNull() ? item.boundingRect() : wanted;
}

} // namespace

Result<void> exportSvg(const GraphPicture& picture, const QString& path, const QRectF& area, const QPalette& palette) {
    if (!picture.hasLayout()) return failed(path, QStringLiteral("there is no graph to draw"));
    const QRectF drawn = areaOf(picture, area);
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly)) return failed(path, file.errorString());
    QSvgGenerator generator;
    generator.setOutputDevice(&file);
    generator.setResolution(96); // CSS pixels
    generator.setSize(drawn.size().toSize());
    generator.setViewBox(QRectF(QPointF(), drawn.size()));
    generator.setTitle(QFileInfo(path).completeBaseName());
    QPainter painter(&generator);
    painter.translate(-drawn.topLeft());
    paint(painter, picture, drawn, palette);
    painter.end();
    if (!file.commit()) return failed(path, file.errorString());
    return {};
}

Result<void> exportPdf(const GraphPicture& picture, const QString& path, const QRectF& area, const QPalette& palette) {
    if (!picture.hasLayout()) return failed(path, QStringLiteral("there is no graph to draw"));
    const QRectF drawn = areaOf(picture, area);
    const double scale = std::min({points_per_unit, longestPage / drawn.width(), longestPage / drawn.height()});
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly)) return failed(path, file.errorString());
    QPdfWriter writer(&file);
    writer.setResolution(96); // CSS pixels, as the scene's
    writer.setPageSize(QPageSize(drawn.size() * scale, QPageSize::Point, {}, QPageSize::ExactMatch));
    writer.setPageMargins(QMarginsF());
    writer.setTitle(QFileInfo(path).completeBaseName());
    QPainter painter(&writer);
    painter.scale(scale / points_per_unit, scale / points_per_unit);
    painter.translate(-drawn.topLeft());
    paint(painter, picture, drawn, palette);
    if (!painter.end()) return failed(path, QStringLiteral("the page cannot be drawn"));
    if (!file.commit()) return failed(path, file.errorString());
    return {};
}

Result<double> exportPng(const GraphPicture& picture, const QString& path, const QRectF& area, double scale,
                         const QPalette& palette) {
    if (!picture.hasLayout()) return failed(path, QStringLiteral("there is no graph to draw"));
    const QRectF drawn = areaOf(picture, area);
    scale = std::min({scale, longestSide / drawn.width(), longestSide / drawn.height(),
                      std::sqrt(mostPixels / (drawn.width() * drawn.height()))});
    QImage image((drawn.size() * scale).toSize().expandedTo(QSize(1, 1)), QImage::Format_RGB32);
    if (image.isNull()) return failed(path, QStringLiteral("there is not enough memory for the image"));
    image.fill(palette.color(QPalette::Base));
    QPainter painter(&image);
    painter.scale(scale, scale);
    painter.translate(-drawn.topLeft());
    paint(painter, picture, drawn, palette);
    painter.end();
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly)) return failed(path, file.errorString());
    if (!image.save(&file, "PNG")) return failed(path, QStringLiteral("the image cannot be written"));
    if (!file.commit()) return failed(path, file.errorString());
    return scale;
}

} // namespace inspector
