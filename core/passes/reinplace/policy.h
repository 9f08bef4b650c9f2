// A policy: which checks are asked, in which order, and what counts as a use. The engine is the same for all.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/graph/graph.h"
#include "core/passes/reinplace/check.h"
#include "core/passes/reinplace/rewrite.h"
#include "core/passes/reinplace/session.h"

namespace inspector {

struct Policy {
    PolicyInfo info;
    std::vector<const Check*> checks;
    /// Whether a node's value takes part in alias sets.
    bool (*is_member)(const Node& node);
    /// Whether a node with this target, by reading a value, keeps it from being overwritten earlier.
    bool (*counts_as_use)(const Target& target);
    /// Keeps account of where every value lies (placements.h).
    bool follows_placements = false;
    /// Reorders the graph as Inductor does before it decides, and looks at it as Inductor does (inductor/).
    bool prepares_like_inductor = false;
    GraphFacts::Aliasing aliasing = GraphFacts::Aliasing::of_kernels;
    /// Whether the change can be made at all, checks aside, and makes it.
    bool (*can_rewrite)(const PassState& state, const Candidate& candidate) = has_inplace_form;
    void (*rewrite)(PassState& state, const Candidate& candidate, Decision& decision) = take_inplace_form;

    /// Evidence is recorded as the policy goes; else it is collected when somebody asks (evidence.h).
    [[nodiscard]] bool records_evidence() const { return follows_placements || prepares_like_inductor; }
};

/// nullptr where there is no policy of that id.
[[nodiscard]] const Policy* find_policy(std::string_view id);

/// Decides as torch.fx.passes.reinplace of torch 2.13 does, faults included (policies/torch_fx.cpp).
[[nodiscard]] const Policy& torch_fx_policy();
/// Decides as the re-inplacing pass of torch._inductor 2.13 does, faults included (policies/inductor.cpp).
[[nodiscard]] const Policy& inductor_policy();
/// Never changes what a caller can observe (policies/sound.cpp).
[[nodiscard]] const Policy& sound_policy();

} // namespace inspector
