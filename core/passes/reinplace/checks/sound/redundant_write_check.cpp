#include "core/passes/reinplace/checks/sound/redundant_write_check.h"

#include <limits>

#include "core/passes/reinplace/checks/sound/later_read_check.h"
#include "core/passes/reinplace/checks/sound/own_memory_check.h"
#include "core/passes/reinplace/checks/sound/result_layout_check.h"
#include "core/passes/reinplace/checks/sound/returned_alias_check.h"
#include "core/passes/reinplace/written_region.h"

namespace inspector {
Finding RedundantWriteCheck::ask(PassState& state, Candidate& candidate) const {
    const Finding passes{.check = CheckId::redundant_write};
    const Placements& places = *state.places;
    const bool is_copy = candidate.target.op->name == "aten::copy_";
    const auto& args = state.graph.node(candidate.node).args;
    if ((!is_copy && !candidate.target.inverse_view) || args.size() < 2 || args[1].node() == no_node) return passes;
    const NodeId source = args[1].node();
    const TensorLayout *self = places.layout(candidate.self), *written = places.layout(source);
    if (!self || !written) return passes;
    // A value written in place into self is named by self itself from then on.
    const bool is_self = is_copy && source == candidate.self;
    if (!is_self && places.is_foreign(state.storage(candidate.self))) return passes;
    const auto region = is_copy ? std::optional(*self) : scatter_region(state, candidate.node, *self);
    if (!is_self && !(places.is_fixed(candidate.self) && places.is_fixed(source))) {
        const auto symbolic = is_copy ? std::nullopt : symbolic_scatter_region(state, candidate.node, candidate.self);
        const SymbolicLayout *place = is_copy    ? places.symbolic_layout(candidate.self)
                                      : symbolic ? &*symbolic
                                                 : nullptr,
                             *lies = places.symbolic_layout(source);
        if (!place || !lies || self->storage != written->storage || self->dtype != written->dtype ||
            self->conjugated != written->conjugated || self->negated != written->negated ||
            !surely_same_place(*place, *lies, places.order()))
            return passes;
    } else if (!region || !is_same_place(*region, *written)) {
        return passes;
    }
    if (!is_copy) {
        if (OwnMemoryCheck::obstacle_to_one_tensor(state, candidate) != no_node) return passes;
        // What may be a view of the result would be one of self.
        constexpr auto whenever = std::numeric_limits<Placements::Time>::max();
        if (places.exposed_by(state.storage(candidate.node), whenever) != no_node) return passes;
        if (OwnMemoryCheck::overwriter_of_result(state, candidate) != no_node) return passes;
        if (LaterReadCheck::ask_for_sharing(state, candidate).decides()) return passes;
        if (ReturnedAliasCheck().ask(state, candidate).decides()) return passes;
        if (ResultLayoutCheck().ask(state, candidate).decides()) return passes;
    }
    return {.answer = Finding::Answer::redundant,
            .check = CheckId::redundant_write,
            .reason = Reason::writes_the_same,
            .witnesses = {{WitnessRole::scatter_base, candidate.self, state.time(candidate.self)},
                          {WitnessRole::operand, source, state.time(source)}}};
}

} // namespace inspector
