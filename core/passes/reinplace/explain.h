// Sentences made from decision records.
#pragma once

#include <string>
#include <vector>

#include "core/passes/reinplace/session.h"

namespace inspector {

/// A piece of a sentence: plain words, or a node's name that a reader can turn into a link.
struct TextSpan { std::string text; NodeId node = no_node; };
using Sentence = std::vector<TextSpan>;
[[nodiscard]] std::string plain_text(const Sentence& sentence);

/// One sentence that says what was decided and why: "kept: %sub reads the storage of %cat after this node".
[[nodiscard]] Sentence explain(const ReinplaceSession& session, const Decision& decision);
/// Evidence of one check in words, one sentence a line; costly evidence is computed here, not in the pass.
[[nodiscard]] std::vector<Sentence> explain_check(const ReinplaceSession& session, std::uint32_t index, const CheckStep& step);
/// FX lines this decision replaces, and by what. Both empty where nothing would change.
struct ChangePreview { std::vector<std::string> before; std::vector<std::string> after; };
[[nodiscard]] ChangePreview preview_change(const ReinplaceSession& session, std::uint32_t index);

} // namespace inspector
