// Does self belong to the caller?
#pragma once

#include "core/passes/reinplace/check.h"

namespace inspector {

/// Guarantees that self does not share storage with an input of the graph; an input that a later copy_ overwrites anyway
/// is refused too.
/// Used by: torch-fx.
class InputAliasCheck : public Check {
public:
    [[nodiscard]] CheckId id() const override { return CheckId::input_alias; }
    [[nodiscard]] std::string_view guarantees() const override { return "Self shares no storage with an input."; }
    [[nodiscard]] Finding ask(PassState& state, Candidate& candidate) const override;
};

} // namespace inspector
