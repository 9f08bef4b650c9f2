// What the graph is and why; an operator's schema and forms; as rich text.
#pragma once

#include <QPalette>
#include <QString>

#include "core/analysis/level.h"
#include "ui/document/document.h"

namespace inspector {

class LevelModel;

/// "not ATen › training › functional ATen › Core ATen" with the graph's level standing out, then why it is no higher.
/// `asRead` is told where the pass has made it another.
[[nodiscard]] QString levelSentence(const NestedLevel& shown, Level asRead, const QPalette& palette);

/// Of a row of the model: the operator, what a group or reason means; of no row, what the levels are. Links: "node:N".
[[nodiscard]] QString levelPage(const Document& document, const LevelModel& model, const QModelIndex& row,
                                const QPalette& palette);

} // namespace inspector
