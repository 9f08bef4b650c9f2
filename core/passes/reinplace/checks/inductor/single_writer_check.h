// A call that writes several tensors writes each storage through one of them only. Asked by: inductor.
#pragma once

#include "core/passes/reinplace/check.h"

namespace inspector {

class SingleWriterCheck final : public Check {
public:
    [[nodiscard]] CheckId id() const override { return CheckId::written_twice; }
    [[nodiscard]] std::string_view guarantees() const override {
        return "No other operand of the call that is written in place lies on the same storage.";
    }
    [[nodiscard]] Finding ask(PassState& state, Candidate& candidate) const override;
};

} // namespace inspector
