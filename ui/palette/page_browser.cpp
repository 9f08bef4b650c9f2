#include "ui/palette/page_browser.h"

#include "ui/appearance/stroke_icon.h"
#include "ui/palette/verdict_style.h"

namespace inspector {

PageBrowser::PageBrowser(QWidget* parent) : QTextBrowser(parent) {
    setOpenLinks(false);
    setFrameShape(QFrame::NoFrame);
    document()->setDocumentMargin(12);
}

QVariant PageBrowser::loadResource(int type, const QUrl& name) {
    constexpr int side = 20;
    if (name.scheme() == QLatin1String("icon")) {
        const QStringList parts = name.path().split(QLatin1Char('/'));
        return strokePixmap(parts.value(0), QColor(QLatin1Char('#') + parts.value(1)), side, devicePixelRatioF());
    }
    if (name.scheme() == QLatin1String("verdict")) {
        const auto mark = static_cast<VerdictMark>(name.path().toInt());
        return verdictIcon(mark, schemeOf(palette())).pixmap(QSize(side, side), devicePixelRatioF());
    }
    return QTextBrowser::loadResource(type, name);
}

QString iconHtml(const QString& name, const QColor& colour) {
    return QStringLiteral("<img src=\"icon:%1/%2\" width=\"16\" height=\"16\" style=\"vertical-align:middle\">").arg(name, colour.name().mid(1));
}

QString coloured(const QString& html, const QColor& colour) {
    return QStringLiteral("<span style=\"color:%1\">%2</span>").arg(colour.name(), html);
}

} // namespace inspector
