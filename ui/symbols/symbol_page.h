// A symbol in words: where it comes from, what is known of it, who uses it, which decisions depend on it.
#pragma once

#include <QPalette>
#include <QString>

#include "ui/symbols/symbol_survey.h"

namespace inspector {

/// "from 2", "2..64", "any integer".
[[nodiscard]] QString rangeText(const SymbolFacts& symbol);
/// "dimension 0 of %x": plain text.
[[nodiscard]] QString originText(const Document& document, const SymbolOrigin& origin);

/// How many there are, the ranges asked for and what they change, in one sentence of rich text. Links: "node:N".
[[nodiscard]] QString symbolsSentence(const Document& document, const SurveyedSymbols& found, const QPalette& palette);
/// Rich text. Links: "node:N".
[[nodiscard]] QString symbolPage(const Document& document, const SurveyedSymbols& found, const SymbolFacts& symbol,
                                 const QPalette& palette);

} // namespace inspector
