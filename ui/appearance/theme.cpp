#include "ui/appearance/theme.h"

#include <cmath>

#include <QApplication>
#include <QFontDatabase>
#include <QStyleFactory>
#include <QStyleHints>

namespace inspector {
namespace {

double luminance(const QColor& colour) {
    const auto linear = [](double channel) {
        return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
}

QPalette makePalette(bool dark) {
    const auto pick = [dark](const char* light_colour, const char* dark_colour) {
        return QColor(QLatin1String(dark ? dark_colour : light_colour));
    };
    const QColor window = pick("#f3f4f6", "#1f2227");
    const QColor base = pick("#ffffff", "#17191d");
    const QColor alternate = pick("#f7f8fa", "#1c1f24");
    const QColor text = pick("#1b1f24", "#e4e6ea");
    const QColor button = pick("#e9ebee", "#2b2f36");
    const QColor highlight = pick("#0b63b0", "#2f6fb3");
    const QColor disabled = pick("#6b7280", "#8b929c");

    QPalette palette;
    palette.setColor(QPalette::Window, window);
    palette.setColor(QPalette::WindowText, text);
    palette.setColor(QPalette::Base, base);
    palette.setColor(QPalette::AlternateBase, alternate);
    palette.setColor(QPalette::Text, text);
    palette.setColor(QPalette::Button, button);
    palette.setColor(QPalette::ButtonText, text);
    palette.setColor(QPalette::BrightText, pick("#ffffff", "#ffffff"));
    palette.setColor(QPalette::ToolTipBase, pick("#ffffff", "#2b2f36"));
    palette.setColor(QPalette::ToolTipText, text);
    palette.setColor(QPalette::PlaceholderText, pick("#5d6570", "#9aa1ab"));
    palette.setColor(QPalette::Highlight, highlight);
    palette.setColor(QPalette::HighlightedText, QColor(Qt::white));
    palette.setColor(QPalette::Link, pick("#0b5cad", "#7db7f0"));
    palette.setColor(QPalette::LinkVisited, pick("#0b5cad", "#7db7f0"));
    palette.setColor(QPalette::Light, pick("#ffffff", "#3a3f47"));
    palette.setColor(QPalette::Midlight, pick("#eceef1", "#31353c"));
    palette.setColor(QPalette::Mid, pick("#c3c8cf", "#42474f"));
    palette.setColor(QPalette::Dark, pick("#9aa1ab", "#121417"));
    palette.setColor(QPalette::Shadow, pick("#6b7280", "#08090a"));
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, disabled);
    palette.setColor(QPalette::Disabled, QPalette::Highlight, pick("#c3c8cf", "#42474f"));
    palette.setColor(QPalette::Disabled, QPalette::HighlightedText, disabled);
    return palette;
}

bool systemIsDark() {
#if QT_VERSION >= QT_VERSION_CHECK(6, 5, 0)
    return QGuiApplication::styleHints()->colorScheme() == Qt::ColorScheme::Dark;
#else
    // Qt 6.4 does not tell; the palette the desktop gave at start does.
    static const bool dark = isDark(QGuiApplication::palette());
    return dark;
#endif
}

} // namespace

void applyTheme(Theme theme) {
    const bool dark = theme == Theme::dark || (theme == Theme::system && systemIsDark());
    QApplication::setPalette(makePalette(dark));
}

bool isDark(const QPalette& palette) {
    return luminance(palette.color(QPalette::WindowText)) > luminance(palette.color(QPalette::Window));
}

const ThemeColours& themeColours(const QPalette& palette) {
    static const ThemeColours light{
        .success = QColor("#00694d"), .failure = QColor("#a84300"), .warning = QColor("#7a5600"),
        .muted = QColor("#565e69"), .current = QColor("#0072b2"), .changed = QColor("#e2f3ec"),
        .added = QColor("#e6f0fa"), .removed = QColor("#f3e9e4"), .evidence = QColor("#fdf2dc"), .separator = QColor("#d5d9de"),
        .keyword = QColor("#0b4f8a"), .literal = QColor("#8a3b00"), .annotation = QColor("#00694d"),
        .comment = QColor("#5d6570")};
    static const ThemeColours dark{
        .success = QColor("#4fd0a5"), .failure = QColor("#ff9a5c"), .warning = QColor("#f0c64a"),
        .muted = QColor("#a3aab4"), .current = QColor("#56b4e9"), .changed = QColor("#17352b"),
        .added = QColor("#1a2c40"), .removed = QColor("#3a2a22"), .evidence = QColor("#3d3119"), .separator = QColor("#3a3f47"),
        .keyword = QColor("#8cc4f5"), .literal = QColor("#f0b48a"), .annotation = QColor("#6fd3b0"),
        .comment = QColor("#959da8")};
    return isDark(palette) ? dark : light;
}

QFont codeFont() {
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    const QFont general = QApplication::font();
    if (general.pointSizeF() > 0) font.setPointSizeF(general.pointSizeF());
    else font.setPixelSize(general.pixelSize()); // where the desktop gives sizes in pixels
    return font;
}

double contrast(const QColor& a, const QColor& b) {
    const double first = luminance(a);
    const double second = luminance(b);
    return (std::max(first, second) + 0.05) / (std::min(first, second) + 0.05);
}

} // namespace inspector
