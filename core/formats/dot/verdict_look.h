// How a drawing shows verdicts and storages.
#pragma once

#include <string_view>
#include <vector>

#include "core/operators/infer.h"
#include "core/passes/reinplace/decision.h"

namespace inspector {

/// What a reader sees of a verdict, as a letter, an outline and a colour: never by one of them alone.
struct VerdictLook {
    char letter;                    ///< ' ' where no decision was made
    std::string_view word;          ///< "missed"
    std::string_view dot_shape;     ///< of Graphviz
    std::string_view fill;          ///< "#rrggbb", faint: black text stands on it
};
/// nullptr: no decision was made on the node. `is_miss`: ReinplaceSession::is_miss says so.
[[nodiscard]] const VerdictLook& verdict_look(const Decision* decision, bool is_miss = false);
/// In the order a legend lists them.
[[nodiscard]] const std::vector<VerdictLook>& verdict_looks();

/// Twelve hues by storage id, then the same again. Storage 0 (none) is grey. "#rrggbb".
[[nodiscard]] std::string_view storage_colour(StorageId storage);

} // namespace inspector
