// Is there an overload that writes its result into self?
#pragma once

#include "core/passes/reinplace/check.h"

namespace inspector {

/// Decides every node that gets here: it becomes the overload of `name_` whose arguments have the same types, of which
/// there must be exactly one; views stay.
/// Used by: torch-fx.
class InplaceVariantCheck : public Check {
public:
    [[nodiscard]] CheckId id() const override { return CheckId::inplace_variant; }
    [[nodiscard]] std::string_view guarantees() const override {
        return "An overload with the same arguments writes its result into self.";
    }
    [[nodiscard]] Finding ask(PassState& state, Candidate& candidate) const override;
};

} // namespace inspector
