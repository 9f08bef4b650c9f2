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

/// What the policy decided on where sizes have symbols and it decides for all of them: metadata as the file writes it. nullptr:
/// on the numbers of the facts.
[[nodiscard]] const TensorMeta* decided_sizes(const ReinplaceSession& session, NodeId node);
/// "f32[4, 4], strides [4, 1], offset 0"; "f32[s0, 4], …" with decided_sizes().
[[nodiscard]] std::string describe_layout(const TensorLayout& layout, const TensorMeta* decided);
/// "16", "4*s0" with decided_sizes().
[[nodiscard]] std::string elements_text(const TensorLayout& layout, const TensorMeta* decided);

} // namespace inspector
