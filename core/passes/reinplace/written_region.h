// The memory a rewrite would write.
#pragma once

#include <optional>

#include "core/passes/reinplace/check.h"

namespace inspector {

/// The in-place variant writes all of self; a scatter made into a copy_ writes the view of self that it inverts. nullopt
/// where the place of self, or the view, is not known.
[[nodiscard]] std::optional<Placements::Area> written_region(const PassState& state, const Candidate& candidate);

/// The region that `scatter` writes of a base that lies as `base` says; nullopt where its arguments are no numbers.
[[nodiscard]] std::optional<TensorLayout> scatter_region(const PassState& state, NodeId scatter, const TensorLayout& base);
/// The same of a call whose operator inverts `view`.
[[nodiscard]] std::optional<TensorLayout> scatter_region(const Operator& view, const Node& scatter, const TensorLayout& base);
/// The same for all sizes, of a base that is the node `value`; nullopt where that is not known.
[[nodiscard]] std::optional<SymbolicLayout> symbolic_scatter_region(const PassState& state, NodeId scatter, NodeId value);

} // namespace inspector
