// The node is one that Inductor's pass looks at. Asked by: inductor.
#pragma once

#include "core/passes/reinplace/check.h"

namespace inspector {

class InductorTableCheck final : public Check {
public:
    [[nodiscard]] CheckId id() const override { return CheckId::not_a_candidate; }
    [[nodiscard]] std::string_view guarantees() const override {
        return "The operator is in Inductor's table: index_put, a scatter, foreach, a custom operator or kernel, "
               "all_reduce.";
    }
    [[nodiscard]] Finding ask(PassState& state, Candidate& candidate) const override;
};

} // namespace inspector
