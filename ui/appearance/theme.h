// Light and dark: palettes with a contrast of at least 4.5:1, and the colours that follow from which one is in use.
#pragma once

#include <QColor>
#include <QFont>
#include <QPalette>

namespace inspector {

enum class Theme { system, light, dark };

/// Sets the application's palette; `system` follows what the desktop had when the program started (from Qt 6.5 on:
/// what it has now).
void applyTheme(Theme theme);

/// Whether text of this palette is lighter than its background.
[[nodiscard]] bool isDark(const QPalette& palette);

/// Colours beyond QPalette's roles.
struct ThemeColours {
    QColor success;   ///< text of a passed check
    QColor failure;   ///< text of a failed check, errors
    QColor warning;   ///< text of a warning
    QColor muted;     ///< secondary text
    QColor current;   ///< ring and row of the node the next step decides (Okabe–Ito blue)
    QColor changed;   ///< background of a rewritten line
    QColor added;     ///< background of a line only the rewritten graph has
    QColor removed;   ///< background of a line only the original graph has
    QColor evidence;  ///< background of what a panel points out besides the selection
    QColor separator; ///< hairlines
    QColor keyword;   ///< code: names that are defined
    QColor literal;   ///< code: numbers and strings
    QColor annotation; ///< code: types
    QColor comment;   ///< code: comments
};
[[nodiscard]] const ThemeColours& themeColours(const QPalette& palette);

/// The system's fixed-width font at the size of its general font.
[[nodiscard]] QFont codeFont();

/// Ratio of WCAG 2: 1 for equal colours, 21 for black on white.
[[nodiscard]] double contrast(const QColor& a, const QColor& b);

} // namespace inspector
