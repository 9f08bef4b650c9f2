// Light or dark, and the colours of surfaces and words in each. Verdicts and storages have files of their own.
#pragma once

#include <QColor>
#include <QPalette>

namespace inspector {

enum class Scheme : std::uint8_t { light, dark };

/// By the lightness of the palette's base: QStyleHints::colorScheme needs Qt 6.5.
[[nodiscard]] Scheme schemeOf(const QPalette& palette);

struct SurfaceColours {
    QColor window;      ///< behind panels
    QColor base;        ///< behind lists, text and the canvas
    QColor alternate;   ///< every second row
    QColor text;        ///< at least 7:1 on base and window
    QColor secondary;   ///< less important words: at least 4.5:1 on base and window
    QColor border;      ///< lines around things
    QColor edge;        ///< data edges, rulers: thin lines that matter; at least 3:1 on base
    QColor selection;   ///< behind the selected row
    QColor current;     ///< the ring around the node the next step decides; at least 3:1 on base
    QColor link;        ///< names in a sentence; at least 4.5:1 on base and window
};
[[nodiscard]] const SurfaceColours& surfaceColours(Scheme scheme);

/// A whole application palette with these colours.
[[nodiscard]] QPalette applicationPalette(Scheme scheme);

/// Contrast of WCAG 2.1 (https://www.w3.org/TR/WCAG21/#dfn-contrast-ratio), 1 to 21; alpha is ignored.
[[nodiscard]] double contrastRatio(const QColor& a, const QColor& b);
/// Black or white, whichever reads better on `background`.
[[nodiscard]] QColor inkOn(const QColor& background);

} // namespace inspector
