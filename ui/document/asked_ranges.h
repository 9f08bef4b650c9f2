// Ranges of symbols asked for instead of the file's, and what they change, in words.
#pragma once

#include <QString>

namespace inspector {

class Document;
struct RangeEffect;

/// "s0 is 2..64, s1 is 8"; empty where none are asked for.
[[nodiscard]] QString askedText(const Document& document);
/// "kept with the file's ranges, in place with these (s0 = 1)".
[[nodiscard]] QString rangeEffectText(const RangeEffect& effect);

} // namespace inspector
