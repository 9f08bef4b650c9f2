// Does the call read self a second time?
#pragma once

#include "core/passes/reinplace/check.h"

namespace inspector {

/// Guarantees that self stands once among the positional arguments. Only the very same node counts, and only at the top
/// level: other views of self, lists and keyword arguments are not looked at.
/// Used by: torch-fx.
class ArgumentAliasCheck : public Check {
public:
    [[nodiscard]] CheckId id() const override { return CheckId::argument_alias; }
    [[nodiscard]] std::string_view guarantees() const override {
        return "Self stands once among the positional arguments.";
    }
    [[nodiscard]] Finding ask(PassState& state, Candidate& candidate) const override;
};

} // namespace inspector
