#include "core/passes/reinplace/checks/inductor/operand_storage_check.h"

#include <algorithm>

#include "core/passes/reinplace/checks/inductor/refuse_operands.h"

namespace inspector {
Finding OperandStorageCheck::ask(PassState& state, Candidate& candidate) const {
    const InductorGraph& known = *state.inductor;
    return refuse_operands(
        candidate, CheckId::argument_alias, [&](const OperandDecision& operand) -> std::optional<Refusal> {
            const auto& values = operand.values;
            for (auto value = values.begin(); value != values.end(); ++value) {
                if (known.storage(*value) == 0)
                    return Refusal{Reason::metadata_unknown, {{WitnessRole::self, *value, state.time(*value)}}};
                const auto other = std::ranges::find(values.begin(), value, known.storage(*value),
                                                     [&](NodeId node) { return known.storage(node); });
                if (other == value) continue;
                return Refusal{Reason::list_items_alias,
                               {{WitnessRole::self, *other, state.time(*other)},
                                {WitnessRole::operand, *value, state.time(*value)}}};
            }
            return std::nullopt;
        });
}

} // namespace inspector
