// Nothing is left against it. Asked by: inductor.
#pragma once

#include "core/passes/reinplace/check.h"

namespace inspector {

class InductorWriteCheck final : public Check {
public:
    [[nodiscard]] CheckId id() const override { return CheckId::inplace_variant; }
    [[nodiscard]] std::string_view guarantees() const override {
        return "The operator is called in its in-place form; a scatter becomes a copy_ into views.";
    }
    [[nodiscard]] Finding ask(PassState& state, Candidate& candidate) const override;
};

} // namespace inspector
