// Which record of an archive is the exported program, and whether the archive has what torch.export.load needs.
#pragma once

#include <string>
#include <vector>

#include "core/formats/pt2/archive.h"
#include "core/graph/result.h"

namespace inspector::pt2 {

struct ModelRecord {
    std::string record;              ///< "models/model.json"
    std::string name;                ///< "model": names the records that belong to it
    bool has_old_layout = false;     ///< torch before 2.8: no root folder, tensors in pickles; `name` is empty
    std::vector<std::string> others; ///< records of further programs
};

/// The program that torch.export.load would give: "model", else the first. Fails where there is none, saying what else
/// the archive is, or an entry is missing without which torch refuses it.
[[nodiscard]] Result<ModelRecord> find_model(const Archive& archive);

} // namespace inspector::pt2
