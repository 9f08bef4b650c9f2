// Which tensor of a file an input stands for.
#pragma once

#include "core/graph/program.h"

namespace inspector {

/// nullptr where the file has none. An archive of several models may give two tensors one name: the record tells them apart.
[[nodiscard]] inline const StoredTensor* find_stored(const Program& program, const InputSpec& input) {
    if (input.target.empty()) return nullptr;
    for (const StoredTensor& tensor : program.tensors)
        if (tensor.name == input.target && (input.record.empty() || tensor.record == input.record)) return &tensor;
    return nullptr;
}

} // namespace inspector
