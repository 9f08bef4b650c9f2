#include "ui/functionalize/outcome_style.h"

#include <QCoreApplication>

namespace inspector {
namespace {

QString translated(const char* text) { return QCoreApplication::translate("OutcomeStyle", text); }

} // namespace

VerdictMark outcomeMark(RoundTripOutcome outcome) {
    switch (outcome) {
    case RoundTripOutcome::in_place: return VerdictMark::reinplaced;
    case RoundTripOutcome::copied_back: return VerdictMark::scatter_to_copy;
    case RoundTripOutcome::out_of_place: return VerdictMark::missed;
    case RoundTripOutcome::dead: return VerdictMark::deleted;
    }
    return VerdictMark::none;
}

QString outcomeWord(RoundTripOutcome outcome) {
    switch (outcome) {
    case RoundTripOutcome::in_place: return translated("in place again");
    case RoundTripOutcome::copied_back: return translated("copied back");
    case RoundTripOutcome::out_of_place: return translated("out of place");
    case RoundTripOutcome::dead: return translated("dead");
    }
    return {};
}

QString outcomeMeaning(RoundTripOutcome outcome) {
    switch (outcome) {
    case RoundTripOutcome::in_place: return translated("Written into the same memory again, without a copy.");
    case RoundTripOutcome::copied_back: return translated("Computed into new memory, then copied to where it belongs.");
    case RoundTripOutcome::out_of_place: return translated("Its result, or a copy of what it is part of, stays in new memory.");
    case RoundTripOutcome::dead: return translated("Nobody reads what it wrote: the functional graph does without it.");
    }
    return {};
}

} // namespace inspector
