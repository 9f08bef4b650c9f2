// The memory a rewrite would write.
#pragma once

#include <optional>

#include "core/passes/reinplace/check.h"

namespace inspector {

struct WrittenRegion {
    TensorLayout layout;
    bool is_fixed = false; ///< its numbers hold in every run (Placements::is_fixed)
};

/// The in-place variant writes all of self; a scatter made into a copy_ writes the view of self that it inverts. nullopt
/// where the place of self, or the view, is not known.
[[nodiscard]] std::optional<WrittenRegion> written_region(const PassState& state, const Candidate& candidate);

/// The region that `scatter` writes of a base that lies as `base` says; nullopt where its arguments are no numbers.
[[nodiscard]] std::optional<TensorLayout> scatter_region(const PassState& state, NodeId scatter, const TensorLayout& base);

} // namespace inspector
