// Our own line icons, drawn in the palette's text colour: they follow light, dark and disabled by themselves.
#pragma once

#include <QColor>
#include <QIcon>
#include <QPixmap>
#include <QString>

namespace inspector {

/// ":/icons/NAME.svg". An empty icon where there is none of that name.
[[nodiscard]] QIcon strokeIcon(const QString& name);
/// The same in a colour of one's own, `side` logical pixels wide.
[[nodiscard]] QPixmap strokePixmap(const QString& name, const QColor& colour, int side, qreal devicePixelRatio);

} // namespace inspector
