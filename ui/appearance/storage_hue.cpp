#include "ui/appearance/storage_hue.h"

#include <array>

namespace inspector {

QColor storageHue(StorageId storage, bool dark) {
    if (storage == 0) return Qt::transparent;
    // Steps of five twelfths of the circle: consecutive ids are far apart, twelve ids visit every hue once.
    const auto step = static_cast<int>((storage - 1) % 12);
    const int hue = (200 + step * 150) % 360;
    return dark ? QColor::fromHsl(hue, 150, 150) : QColor::fromHsl(hue, 165, 105);
}

QBrush storageBrush(StorageId storage, bool dark) {
    if (storage == 0) return Qt::NoBrush;
    constexpr std::array patterns{Qt::SolidPattern,   Qt::BDiagPattern, Qt::HorPattern,       Qt::Dense4Pattern,
                                  Qt::FDiagPattern,   Qt::VerPattern,   Qt::DiagCrossPattern, Qt::CrossPattern};
    return {storageHue(storage, dark), patterns[(storage - 1) / 12 % patterns.size()]};
}

} // namespace inspector
