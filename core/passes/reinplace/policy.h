// A policy: which checks are asked, in which order, and what counts as a use. The engine is the same for all.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/graph/graph.h"
#include "core/passes/reinplace/check.h"
#include "core/passes/reinplace/session.h"

namespace inspector {

struct Policy {
    PolicyInfo info;
    std::vector<const Check*> checks;
    /// Whether a node's value takes part in alias sets.
    bool (*is_member)(const Node& node);
    /// Whether a node with this target, by reading a value, keeps it from being overwritten earlier.
    bool (*counts_as_use)(const Target& target);
    /// Keeps account of where every value lies (placements.h), and records evidence as it goes.
    bool follows_placements = false;
};

/// nullptr where there is no policy of that id.
[[nodiscard]] const Policy* find_policy(std::string_view id);

/// Decides as torch.fx.passes.reinplace of torch 2.13 does, faults included (policies/torch_fx.cpp).
[[nodiscard]] const Policy& torch_fx_policy();
/// Never changes what a caller can observe (policies/sound.cpp).
[[nodiscard]] const Policy& sound_policy();

} // namespace inspector
