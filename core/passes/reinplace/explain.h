// Sentences made from decision records.
#pragma once

#include <string>
#include <vector>

#include "core/passes/reinplace/sentence.h"
#include "core/passes/reinplace/session.h"

namespace inspector {

/// One sentence that says what was decided and why: "kept: %sub reads the storage of %cat after this node". Of what
/// blocks it, it names the first and counts the rest, as far as `decision` holds them (see complete()).
[[nodiscard]] Sentence explain(const ReinplaceSession& session, const Decision& decision);

/// Evidence of one check in words, one sentence a line; costly evidence is computed here, not in the pass. `step` is one
/// of session.checks(index). At most `lines` of it; a last line says how many are left out. A pending or skipped check
/// gives one sentence that says what it guarantees.
[[nodiscard]] std::vector<Sentence> explain_check(const ReinplaceSession& session, std::uint32_t index,
                                                  const CheckStep& step, std::size_t lines = 50);

/// FX lines this decision replaces, and by what: the node, later users that get another operand, scatters that go. Both
/// empty where nothing would change. For a decision not made yet: what the policy and the choices made would do. Moves the
/// session there and back.
struct ChangePreview {
    std::vector<std::string> before;
    std::vector<std::string> after;
};
[[nodiscard]] ChangePreview preview_change(const ReinplaceSession& session, std::uint32_t index);

} // namespace inspector
