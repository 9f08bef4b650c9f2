#include "core/passes/reinplace/checks/inductor/single_writer_check.h"

#include <algorithm>

#include "core/passes/reinplace/checks/inductor/refuse_operands.h"

namespace inspector {
Finding SingleWriterCheck::ask(PassState& state, Candidate& candidate) const {
    std::vector<StorageId> written;
    return refuse_operands(
        candidate, CheckId::written_twice, [&](const OperandDecision& operand) -> std::optional<Refusal> {
            for (const NodeId value : operand.values)
                if (std::ranges::find(written, state.inductor->storage(value)) != written.end())
                    return Refusal{Reason::written_through_another, {{WitnessRole::operand, value, state.time(value)}}};
            for (const NodeId value : operand.values) written.push_back(state.inductor->storage(value));
            return std::nullopt;
        });
}

} // namespace inspector
