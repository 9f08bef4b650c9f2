// Is the node an operator call whose first argument is a tensor?
#pragma once

#include "core/passes/reinplace/check.h"

namespace inspector {

/// Guarantees an operator overload whose first schema argument has exactly the type Tensor (not Tensor? or Tensor[]).
/// Used by: torch-fx.
class OperatorCheck : public Check {
public:
    [[nodiscard]] CheckId id() const override { return CheckId::not_an_operator; }
    [[nodiscard]] std::string_view guarantees() const override {
        return "The node calls an operator overload whose first argument is a tensor.";
    }
    [[nodiscard]] Finding ask(PassState& state, Candidate& candidate) const override;
};

} // namespace inspector
