// A scatter is worth writing in place: Inductor would rather compute it inside its neighbours' kernels. Asked by:
// inductor.
#pragma once

#include "core/passes/reinplace/check.h"

namespace inspector {

class FusionCheck final : public Check {
public:
    [[nodiscard]] CheckId id() const override { return CheckId::fusion; }
    [[nodiscard]] std::string_view guarantees() const override {
        return "A scatter's base and result are in memory anyway, or it is a diagonal or as_strided one, which is "
               "always a write.";
    }
    [[nodiscard]] Finding ask(PassState& state, Candidate& candidate) const override;
};

} // namespace inspector
