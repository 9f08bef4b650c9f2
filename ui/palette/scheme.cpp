#include "ui/palette/scheme.h"

#include "ui/appearance/theme.h"

namespace inspector {

Scheme schemeOf(const QPalette& palette) { return isDark(palette) ? Scheme::dark : Scheme::light; }

} // namespace inspector
