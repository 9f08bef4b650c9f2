#include "ui/palette/storage_style.h"

#include <array>

#include <QPainter>

namespace inspector {

namespace {

struct Hue { QRgb line_light, band_light, line_dark, band_dark; };

// OKLCH hues 150 degrees apart, so that neighbours in program order differ much, with lightness alternating.
constexpr std::array<Hue, storage_hue_count> hues{{
    {0x0465AF, 0xD7EAFE, 0x6FB6FE, 0x183755}, // blue
    {0x8E2E00, 0xFFD3C4, 0xFFAD91, 0x5D3324}, // rust
    {0x02736E, 0xBAF5F1, 0x0DCBC3, 0x043E3C}, // teal
    {0x87216D, 0xFACFEB, 0xFCA2DF, 0x56314A}, // magenta
    {0x497101, 0xDBF1C7, 0x96C166, 0x2A3C15}, // leaf green
    {0x4640A7, 0xD7DBFE, 0xB8BEFE, 0x393B61}, // indigo
    {0x8A5601, 0xFEE3C5, 0xE5A14B, 0x4A2F08}, // amber
    {0x005C71, 0xB2E8FA, 0x48D7FE, 0x054757}, // cyan
    {0xAA2E4E, 0xFFDFE2, 0xF78C9E, 0x51262E}, // rose
    {0x04623F, 0xBCEBD1, 0x6FDEA7, 0x1B4A34}, // green
    {0x7F42A6, 0xF1E0FF, 0xCA99EF, 0x402B4E}, // violet
    {0x5E5303, 0xE7E0B2, 0xD8C65A, 0x484012}, // olive
}};

constexpr std::array patterns{
    Qt::SolidPattern, Qt::BDiagPattern, Qt::FDiagPattern, Qt::HorPattern, Qt::VerPattern, Qt::DiagCrossPattern,
    Qt::CrossPattern, Qt::Dense6Pattern, Qt::Dense5Pattern,
};

} // namespace

StorageStyle storageStyle(StorageId storage, Scheme scheme) {
    const bool is_dark = scheme == Scheme::dark;
    if (storage == 0) return {QColor(is_dark ? 0xA3AAB4U : 0x565E69U), QColor(is_dark ? 0x1C1F24U : 0xF7F8FAU)};
    const auto hue = (storage - 1) % hues.size();
    const auto round = (storage - 1) / hues.size();
    const Hue& colours = hues[hue];
    // After the last pattern the patterns with a hatch come again; solid stays the mark of the first twelve.
    const auto pattern = round == 0 ? 0 : 1 + (round - 1) % (patterns.size() - 1);
    return {QColor(is_dark ? colours.line_dark : colours.line_light),
            QColor(is_dark ? colours.band_dark : colours.band_light), patterns[pattern], static_cast<int>(hue),
            static_cast<int>(round)};
}

void paintStorageSwatch(QPainter& painter, const QRectF& area, StorageId storage, Scheme scheme) {
    const StorageStyle style = storageStyle(storage, scheme);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(style.line, 1));
    painter.setBrush(style.band);
    const QRectF box = area.adjusted(0.5, 0.5, -0.5, -0.5);
    painter.drawRoundedRect(box, 3, 3);
    if (style.pattern != Qt::SolidPattern) {
        QColor hatch = style.line;
        hatch.setAlphaF(0.35F);
        painter.fillRect(box.adjusted(1, 1, -1, -1), QBrush(hatch, style.pattern));
    }
    painter.restore();
}

QVector<qreal> viewEdgeDashes(StorageId storage) {
    const StorageId round = storage == 0 ? 0 : (storage - 1) / storage_hue_count;
    switch (round % 3) {
    case 0: return {5, 3};
    case 1: return {8, 3, 2, 3};
    default: return {2, 2};
    }
}

} // namespace inspector
