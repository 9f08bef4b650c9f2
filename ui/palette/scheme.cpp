#include "ui/palette/scheme.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace inspector {

Scheme schemeOf(const QPalette& palette) {
    return palette.color(QPalette::Base).lightnessF() < 0.5F ? Scheme::dark : Scheme::light;
}

const SurfaceColours& surfaceColours(Scheme scheme) {
    static const SurfaceColours light{
        .window = QColor(0xF4F5F7), .base = QColor(0xFFFFFF), .alternate = QColor(0xF7F8FA),
        .text = QColor(0x1B1F24), .secondary = QColor(0x57606A), .border = QColor(0xC4CAD1),
        .edge = QColor(0x7D8590), .selection = QColor(0xCFE4F7), .current = QColor(0x0072B2), .link = QColor(0x0A5A94),
    };
    static const SurfaceColours dark{
        .window = QColor(0x262A30), .base = QColor(0x1E2126), .alternate = QColor(0x23272D),
        .text = QColor(0xE8EAED), .secondary = QColor(0xA5ADB8), .border = QColor(0x4A515B),
        .edge = QColor(0x7F8792), .selection = QColor(0x264A68), .current = QColor(0x56B4E9), .link = QColor(0x7CC4F4),
    };
    return scheme == Scheme::dark ? dark : light;
}

QPalette applicationPalette(Scheme scheme) {
    const SurfaceColours& colours = surfaceColours(scheme);
    QPalette palette;
    const std::array<std::pair<QPalette::ColorRole, QColor>, 13> roles{{
        {QPalette::Window, colours.window},
        {QPalette::WindowText, colours.text},
        {QPalette::Base, colours.base},
        {QPalette::AlternateBase, colours.alternate},
        {QPalette::Text, colours.text},
        {QPalette::Button, colours.window},
        {QPalette::ButtonText, colours.text},
        {QPalette::BrightText, colours.text},
        {QPalette::ToolTipBase, colours.window},
        {QPalette::ToolTipText, colours.text},
        {QPalette::PlaceholderText, colours.secondary},
        {QPalette::Highlight, colours.selection},
        {QPalette::HighlightedText, colours.text},
    }};
    for (const auto& [role, colour] : roles) palette.setColor(role, colour);
    palette.setColor(QPalette::Link, colours.link);
    palette.setColor(QPalette::LinkVisited, colours.link);
    const bool is_dark = scheme == Scheme::dark;
    palette.setColor(QPalette::Light, is_dark ? colours.border : colours.base);
    palette.setColor(QPalette::Midlight, is_dark ? QColor(0x343A42) : QColor(0xE6E9ED));
    palette.setColor(QPalette::Mid, colours.border);
    palette.setColor(QPalette::Dark, is_dark ? QColor(0x15181C) : QColor(0x9AA3AD));
    palette.setColor(QPalette::Shadow, QColor(0x0B0D0F));
    for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, is_dark ? QColor(0x7F8792) : QColor(0x7D8590));
    return palette;
}

static double linearised(float channel) {
    const auto value = static_cast<double>(channel);
    return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

static double luminance(const QColor& colour) {
    const QColor rgb = colour.toRgb();
    return 0.2126 * linearised(rgb.redF()) + 0.7152 * linearised(rgb.greenF()) + 0.0722 * linearised(rgb.blueF());
}

double contrastRatio(const QColor& a, const QColor& b) {
    const auto [darker, lighter] = std::minmax({luminance(a), luminance(b)});
    return (lighter + 0.05) / (darker + 0.05);
}

QColor inkOn(const QColor& background) {
    const QColor black(Qt::black);
    const QColor white(Qt::white);
    return contrastRatio(background, black) >= contrastRatio(background, white) ? black : white;
}

} // namespace inspector
