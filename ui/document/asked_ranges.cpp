#include "ui/document/asked_ranges.h"

#include <QStringList>

#include "core/analysis/symbols.h"
#include "core/passes/reinplace/range_effect.h"
#include "ui/document/document.h"

namespace inspector {

QString askedText(const Document& document) {
    QStringList parts;
    for (const SymbolRange& range : document.askedRanges())
        parts << Document::tr("%1 is %2")
                     .arg(QString::fromStdString(range.symbol),
                          QString::fromStdString(range_words(range.minimum, range.maximum)));
    return parts.join(QStringLiteral(", "));
}

QString rangeEffectText(const RangeEffect& effect) {
    const QString text = Document::tr("%1 with the file's ranges, %2 with these")
                             .arg(QString::fromStdString(effect.before), QString::fromStdString(effect.after));
    return effect.condition.empty() ? text
                                    : text + QStringLiteral(" (%1)").arg(QString::fromStdString(effect.condition));
}

} // namespace inspector
