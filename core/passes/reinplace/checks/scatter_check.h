// Is the node a scatter that can write into its base?
#pragma once

#include "core/passes/reinplace/check.h"

namespace inspector {

/// Decides diagonal_scatter, select_scatter, slice_scatter and as_strided_scatter: they become the view they invert and
/// a copy_ of the source into it, unless an earlier rewrite already made them superfluous. All other nodes pass.
/// Used by: torch-fx.
class ScatterCheck : public Check {
public:
    [[nodiscard]] CheckId id() const override { return CheckId::scatter; }
    [[nodiscard]] std::string_view guarantees() const override {
        return "The node is no scatter that could become a copy_ into a view.";
    }
    [[nodiscard]] Finding ask(PassState& state, Candidate& candidate) const override;
};

} // namespace inspector
