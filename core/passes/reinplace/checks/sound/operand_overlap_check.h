// Passes: no other operand, wherever it stands (lists and keywords too), shares a byte with what would be written. The
// very same elements, index by index, are allowed in an operator that reads and writes element by element (torch tags it
// `pointwise`): each is read before it is written. Upstream only looks for self itself among the positional arguments.
// Used by: sound.
#pragma once

#include "core/passes/reinplace/check.h"

namespace inspector {

class OperandOverlapCheck : public Check {
public:
    [[nodiscard]] CheckId id() const override { return CheckId::argument_alias; }
    [[nodiscard]] std::string_view guarantees() const override {
        return "No other operand shares memory with what would be written, unless it is the very same elements, each read "
               "before it is written.";
    }
    [[nodiscard]] Finding ask(PassState& state, Candidate& candidate) const override;
};

} // namespace inspector
