// Asking of each tensor that a node would write.
#pragma once

#include "core/passes/reinplace/check.h"

namespace inspector {

/// What speaks against writing one tensor.
struct Refusal {
    Reason reason = Reason::none;
    std::vector<Witness> witnesses{};
    std::vector<std::string> fields{};
};

/// Calls `ask(OperandDecision)`, which gives a std::optional<Refusal>, for each operand that no earlier check refused.
/// The node is kept where it writes all its operands or none and one is refused, and where none is left.
template <typename Ask> Finding refuse_operands(Candidate& candidate, CheckId check, const Ask& ask) {
    Finding passes{.check = check};
    Writer& writer = *candidate.writer;
    if (writer.writes_only) return passes;
    bool is_one_left = false;
    Finding keeps{.answer = Finding::Answer::keeps, .check = check};
    for (OperandDecision& operand : writer.operands) {
        if (!operand.in_place) continue;
        std::optional<Refusal> refusal = ask(operand);
        if (!refusal) {
            is_one_left = true;
            continue;
        }
        operand.in_place = false;
        operand.check = check;
        operand.reason = refusal->reason;
        operand.witnesses = refusal->witnesses;
        if (keeps.reason == Reason::none) {
            keeps.reason = refusal->reason;
            keeps.fields = std::move(refusal->fields);
            keeps.witnesses = std::move(refusal->witnesses);
            candidate.self = operand.values.front();
        }
    }
    const bool is_refused = keeps.reason != Reason::none;
    return is_refused && (writer.is_indivisible() || !is_one_left) ? keeps : passes;
}

} // namespace inspector
