// Does anybody read self's storage later?
#pragma once

#include "core/passes/reinplace/check.h"

namespace inspector {

/// Guarantees that no node after this one uses a value of self's alias set, apart from views that are in the set
/// themselves and scatters that match one of its views (scatter_match.h). Those scatters are noted in the candidate: the
/// rewrite drops them. The output counts as a use. Whole storages are compared, not regions.
/// Used by: torch-fx.
class LaterUseCheck : public Check {
public:
    [[nodiscard]] CheckId id() const override { return CheckId::later_use; }
    [[nodiscard]] std::string_view guarantees() const override {
        return "Nobody reads self's storage later, except scatters that only write back what is there.";
    }
    [[nodiscard]] Finding ask(PassState& state, Candidate& candidate) const override;

    /// The later scatters on self's set that match one of its views.
    [[nodiscard]] static std::vector<NodeId> matching_scatters(PassState& state, const Candidate& candidate);
};

} // namespace inspector
