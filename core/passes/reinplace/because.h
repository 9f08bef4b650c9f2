// Why a decision fell as it did: the clause after "kept:" or "although".
#pragma once

#include "core/passes/reinplace/sentence.h"
#include "core/passes/reinplace/session.h"

namespace inspector {

/// "%mul reads %view, which lies on the storage of %add, after this node". Without capital and period. For a forced
/// decision: what stood against it.
[[nodiscard]] Sentence explain_reason(const ReinplaceSession& session, const Decision& decision);

/// The same for one of several operands. Precondition: it is not in place.
[[nodiscard]] Sentence explain_operand(const ReinplaceSession& session, const Decision& decision,
                                       const OperandDecision& operand);

/// "f32[4, 4], strides [4, 1], offset 0".
[[nodiscard]] std::string describe_layout(const TensorLayout& layout);
/// "1 element", "16 elements".
[[nodiscard]] std::string count_of(std::int64_t count, std::string_view noun);

} // namespace inspector
