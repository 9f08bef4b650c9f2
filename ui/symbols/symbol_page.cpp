#include "ui/symbols/symbol_page.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include "core/passes/reinplace/range_effect.h"
#include "ui/appearance/counted.h"
#include "ui/appearance/theme.h"
#include "ui/document/asked_ranges.h"
#include "ui/document/describe.h"
#include "ui/document/node_links.h"
#include "ui/document/page_rows.h"
#include "ui/palette/page_browser.h"

namespace inspector {
namespace {

QString translated(const char* text) { return QCoreApplication::translate("SymbolPage", text); }

QString heading(const QString& text, const ThemeColours& colours) {
    return QStringLiteral("<p style=\"margin-top:12px; margin-bottom:2px; color:%1\"><b>%2</b></p>")
        .arg(colours.muted.name(), text.toHtmlEscaped());
}

/// `name` is how nodes are written: as plain text, or as links.
template <typename Name> QString originWords(const SymbolOrigin& origin, Name&& name) {
    switch (origin.kind) {
    case SymbolOrigin::Kind::input_dimension:
        return translated("dimension %1 of %2").arg(origin.dimension).arg(name(origin.node));
    case SymbolOrigin::Kind::input_number: return translated("the input %1").arg(name(origin.node));
    case SymbolOrigin::Kind::derived:
        return translated("derived: dimension %1 of %2 is %3")
            .arg(origin.dimension)
            .arg(name(origin.node), QString::fromStdString(origin.expression));
    case SymbolOrigin::Kind::data_dependent: return translated("depends on data, made by %1").arg(name(origin.node));
    case SymbolOrigin::Kind::unused: break;
    }
    return translated("not used in this graph");
}

QString relationsHtml(const Document& document, const SymbolFacts& symbol) {
    QStringList lines;
    for (const SymbolFacts::Relation& relation : symbol.relations) {
        QString line = codeHtml(fxHtml(*document.graph(), QString::fromStdString(relation.text)));
        if (relation.because != "input_dimension")
            line += translated(" asked for by %1 (%2)")
                        .arg(codeHtml(nodeLink(document, relation.node)),
                             QString::fromStdString(relation.because).toHtmlEscaped());
        lines << line;
    }
    return lines.join(QStringLiteral("<br>"));
}

bool mentions(const std::string& text, const std::string& name) {
    return QString::fromStdString(text).contains(
        QRegularExpression(QStringLiteral("\\b%1\\b").arg(QRegularExpression::escape(QString::fromStdString(name)))));
}

QString conditionsHtml(const Document& document, const SurveyedSymbols& found, const SymbolFacts& symbol,
                       const ThemeColours& colours) {
    QString lines;
    for (const Decision& decision : found.conditions) {
        const DecisionCondition& condition = *decision.condition;
        if (!mentions(condition.text, symbol.name)) continue;
        const QString words = condition.is_exact ? translated("in place only if %1; elsewhere %2")
                                                 : translated("in place if %1; elsewhere %2");
        lines += QStringLiteral("<tr><td>%1</td><td width=\"8\"></td><td>%2</td></tr>")
                     .arg(codeHtml(nodeLink(document, decision.node)),
                          words.arg(QString::fromStdString(condition.text), QString::fromStdString(condition.otherwise))
                              .toHtmlEscaped());
    }
    if (lines.isEmpty()) return {};
    return heading(translated("Decisions of sound that depend on it"), colours) +
           QStringLiteral("<table cellspacing=\"0\" cellpadding=\"2\">%1</table>").arg(lines);
}

QString effectsHtml(const Document& document, const ThemeColours& colours) {
    if (document.askedRanges().empty() || !document.rangeEffects() || document.rangeEffects()->empty()) return {};
    QString lines;
    for (const RangeEffect& effect : *document.rangeEffects())
        lines += QStringLiteral("<tr><td>%1</td><td width=\"8\"></td><td>%2</td></tr>")
                     .arg(codeHtml(nodeLink(document, effect.node)), rangeEffectText(effect).toHtmlEscaped());
    return heading(translated("What sound decides otherwise with the ranges asked for"), colours) +
           QStringLiteral("<table cellspacing=\"0\" cellpadding=\"2\">%1</table>").arg(lines);
}

} // namespace

QString rangeText(const SymbolFacts& symbol) {
    return QString::fromStdString(range_words(symbol.minimum, symbol.maximum));
}

QString originText(const Document& document, const SymbolOrigin& origin) {
    return originWords(origin, [&](NodeId node) { return nodeText(document, node); });
}

QString symbolsSentence(const Document& document, const SurveyedSymbols& found, const QPalette& palette) {
    const ThemeColours& colours = themeColours(palette);
    const QString count =
        counted(found.symbols.size(), translated("%1 symbol"), translated("%1 symbols"));
    if (document.askedRanges().empty()) {
        const QString depending =
            found.conditions.empty() ? translated("no decision of sound depends on them")
                                     : counted(found.conditions.size(), translated("%1 decision of sound depends on sizes"),
                                               translated("%1 decisions of sound depend on sizes"));
        return translated("%1, with the ranges of the file; %2").arg(count, depending).toHtmlEscaped();
    }
    const QString asked =
        QStringLiteral("<b>%1</b> ").arg(translated("And if %1:").arg(askedText(document)).toHtmlEscaped());
    const auto* effects = document.rangeEffects();
    if (!effects) return asked + coloured(translated("comparing with the file's ranges…"), colours.muted);
    if (effects->empty())
        return asked + translated("every decision of sound is as with the file's ranges").toHtmlEscaped();
    return asked +
           coloured(
               counted(effects->size(), translated("sound takes %1 decision otherwise than with the file's ranges"),
                       translated("sound takes %1 decisions otherwise than with the file's ranges"))
                   .toHtmlEscaped(),
               colours.warning);
}

QString symbolPage(const Document& document, const SurveyedSymbols& found, const SymbolFacts& symbol,
                   const QPalette& palette) {
    const ThemeColours& colours = themeColours(palette);
    QString html = QStringLiteral("<body style=\"color:%1\">").arg(palette.color(QPalette::Text).name());
    PageRows rows(colours.muted);
    const SymbolFacts* before = found.findAsRead(symbol.name);
    const bool is_other = before && (before->minimum != symbol.minimum || before->maximum != symbol.maximum);
    rows.add(translated("Range"),
             rangeText(symbol).toHtmlEscaped() +
                 (is_other ? coloured(translated(" asked for; in the file %1").arg(rangeText(*before)).toHtmlEscaped(),
                                      colours.warning)
                           : QString()));
    rows.add(translated("Sample"), symbol.hint ? QString::number(*symbol.hint) : translated("none"));
    rows.add(translated("From"),
             originWords(symbol.origin, [&](NodeId node) { return codeHtml(nodeLink(document, node)); }));
    rows.add(translated("Divisible by"), symbol.divisor ? QString::number(*symbol.divisor) : QString());
    rows.add(translated("Relations"), relationsHtml(document, symbol));
    rows.add(translated("Used by"), nodeLinks(document, symbol.uses, translated("nobody")));
    return html + rows.html() + effectsHtml(document, colours) + conditionsHtml(document, found, symbol, colours);
}

} // namespace inspector
