// An input is written only if the graph copies something into it anyway: the caller then expects it to change. Asked
// by: inductor.
#pragma once

#include "core/passes/reinplace/check.h"

namespace inspector {

class CopyBackCheck final : public Check {
public:
    [[nodiscard]] CheckId id() const override { return CheckId::input_alias; }
    [[nodiscard]] std::string_view guarantees() const override {
        return "An input is written only if a copy_ into it follows; a view of an input, only if that copy_ brings "
               "back this very result, laid out as the view is; the items of a list, only if a copy_ brings back each "
               "of them.";
    }
    [[nodiscard]] Finding ask(PassState& state, Candidate& candidate) const override;
};

} // namespace inspector
