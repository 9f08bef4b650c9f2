#include "ui/appearance/stroke_icon.h"

#include <QFile>
#include <QGuiApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPalette>
#include <QPixmapCache>
#include <QSvgRenderer>

namespace inspector {
namespace {

QByteArray svgOf(const QString& name) {
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void render(QPainter& painter, const QRectF& rect, const QString& name, const QColor& colour) {
    QSvgRenderer renderer(svgOf(name).replace("currentColor", colour.name().toLatin1()));
    const double side = std::min(rect.width(), rect.height());
    QRectF square(0, 0, side, side);
    square.moveCenter(rect.center());
    renderer.render(&painter, square);
}

class StrokeIconEngine : public QIconEngine {
public:
    explicit StrokeIconEngine(QString name) : name_(std::move(name)) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
        render(*painter, rect, name_, colourFor(mode));
    }

    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State) override {
        const QColor colour = colourFor(mode);
        const QString key = QStringLiteral("stroke/%1/%2/%3x%4")
                                .arg(name_, colour.name())
                                .arg(size.width())
                                .arg(size.height());
        QPixmap pixmap;
        if (QPixmapCache::find(key, &pixmap)) return pixmap;
        pixmap = QPixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        render(painter, QRectF(QPointF(0, 0), size), name_, colour);
        painter.end();
        QPixmapCache::insert(key, pixmap);
        return pixmap;
    }

    QIconEngine* clone() const override { return new StrokeIconEngine(name_); }

private:
    static QColor colourFor(QIcon::Mode mode) {
        const QPalette palette = QGuiApplication::palette();
        if (mode == QIcon::Selected) return palette.color(QPalette::HighlightedText);
        return palette.color(mode == QIcon::Disabled ? QPalette::Disabled : QPalette::Active, QPalette::ButtonText);
    }

    QString name_;
};

} // namespace

QIcon strokeIcon(const QString& name) {
    if (!QFile::exists(QStringLiteral(":/icons/%1.svg").arg(name))) return {};
    return QIcon(new StrokeIconEngine(name));
}

QPixmap strokePixmap(const QString& name, const QColor& colour, int side, qreal devicePixelRatio) {
    QPixmap pixmap(QSize(side, side) * devicePixelRatio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    render(painter, pixmap.rect(), name, colour);
    painter.end();
    pixmap.setDevicePixelRatio(devicePixelRatio);
    return pixmap;
}

} // namespace inspector
