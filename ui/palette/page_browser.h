// Shows rich text whose images are our icons and verdict marks, in the palette's colours.
#pragma once

#include <QTextBrowser>

namespace inspector {

/// "icon:NAME/RRGGBB" is the stroke icon NAME in that colour, "verdict:N" the sign of the VerdictMark N. Links are not
/// followed: anchorClicked() tells of them.
class PageBrowser : public QTextBrowser {
    Q_OBJECT
public:
    explicit PageBrowser(QWidget* parent = nullptr);

protected:
    QVariant loadResource(int type, const QUrl& name) override;
};

/// The <img> of an icon, 16 pixels wide.
[[nodiscard]] QString iconHtml(const QString& name, const QColor& colour);
/// `html` in that colour.
[[nodiscard]] QString coloured(const QString& html, const QColor& colour);

} // namespace inspector
