// Passes: the result may lie where self does. All views of it stay possible and mean the same elements, its readers compute
// the same bits, and returned values keep their strides (moved_layouts.h); the kernel rounds in place as it does elsewhere
// (in_place_rounding.h). Where the layout of self is not certain, only an element-by-element operator passes whose result
// takes the layout of its first operand by construction. Upstream does not ask. Used by: sound.
#pragma once

#include "core/passes/reinplace/check.h"

namespace inspector {

class ResultLayoutCheck : public Check {
public:
    [[nodiscard]] CheckId id() const override { return CheckId::result_layout; }
    [[nodiscard]] std::string_view guarantees() const override {
        return "The result may lie in memory as self does: views, readers and returned strides are unharmed.";
    }
    [[nodiscard]] Finding ask(PassState& state, Candidate& candidate) const override;
};

} // namespace inspector
