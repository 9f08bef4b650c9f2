// How a mutation's outcome looks and reads: the marks of the verdicts that made it.
#pragma once

#include <QString>

#include "core/passes/functionalize/round_trip.h"
#include "ui/palette/verdict_style.h"

namespace inspector {

[[nodiscard]] VerdictMark outcomeMark(RoundTripOutcome outcome);
/// "in place again", "copied back", "out of place", "dead".
[[nodiscard]] QString outcomeWord(RoundTripOutcome outcome);
/// What that means, in one sentence.
[[nodiscard]] QString outcomeMeaning(RoundTripOutcome outcome);

} // namespace inspector
