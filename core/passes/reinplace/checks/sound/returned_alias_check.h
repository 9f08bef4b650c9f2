// Passes: no two values that the caller gets, and no input and output, share memory that they did not share before.
// Upstream does not ask. Used by: sound.
#pragma once

#include "core/passes/reinplace/check.h"

namespace inspector {

class ReturnedAliasCheck : public Check {
public:
    [[nodiscard]] CheckId id() const override { return CheckId::output_alias; }
    [[nodiscard]] std::string_view guarantees() const override {
        return "The values the caller gets share memory with each other and with inputs as they did before.";
    }
    [[nodiscard]] Finding ask(PassState& state, Candidate& candidate) const override;
};

} // namespace inspector
