// Rewrites that are right for inference, but that autograd refuses when the graph runs with gradients.
// The rules are those of check_inplace and handle_view_on_rebase in torch/csrc/autograd (VariableTypeUtils.h, variable.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/passes/reinplace/sentence.h"
#include "core/passes/reinplace/session.h"

namespace inspector {

struct AutogradNote {
    enum class Kind : std::uint8_t {
        leaf,            ///< writes into an input or parameter that requires grad
        view_of_leaf,    ///< writes into a view of one
        piece_of_many,   ///< writes into one of several views that one operator made: split, chunk, unbind
    };
    Kind kind = Kind::leaf;
    NodeId source = no_node;  ///< the leaf, or the operator that made the views
};
[[nodiscard]] std::string_view text_id(AutogradNote::Kind kind);

/// By decision number, for the decisions made so far. A value requires grad where the file says so of a placeholder or
/// attribute that it is computed from by operators on floating-point or complex values; a detached one does not. nullopt
/// where the decision does not rewrite, or autograd has nothing against it as far as views tell: values that the backward
/// pass saved are not known here. Linear in the graph.
[[nodiscard]] std::vector<std::optional<AutogradNote>> autograd_notes(const ReinplaceSession& session);

/// "autograd refuses it when gradients are recorded: %getitem is one of the views that %split made". Without capital and
/// period.
[[nodiscard]] Sentence explain_autograd(const ReinplaceSession& session, const Decision& decision, const AutogradNote& note);

} // namespace inspector
