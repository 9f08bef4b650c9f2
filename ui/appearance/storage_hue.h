// The colour of a storage: the same in canvas, lists and the code's margin.
#pragma once

#include <QBrush>
#include <QColor>

#include "core/operators/infer.h"

namespace inspector {

/// Twelve hues in turn by id, so that neighbours in program order differ most. Transparent for storage 0 (none).
[[nodiscard]] QColor storageHue(StorageId storage, bool dark);
/// The hue, solid for the first twelve storages and with a pattern that tells each further twelve apart.
[[nodiscard]] QBrush storageBrush(StorageId storage, bool dark);

} // namespace inspector
