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
};

/// Every program of the archive, first the one that torch.export.load would give: "model", else the first. Fails where
/// there is none, saying what else the archive is, or an entry is missing without which torch refuses it.
[[nodiscard]] Result<std::vector<ModelRecord>> find_models(const Archive& archive);
/// Of several programs the one that has the graph of this id, which begins with the program's name; else the only one.
[[nodiscard]] const ModelRecord& model_of_graph(const std::vector<ModelRecord>& models, const std::string& graph_id);

} // namespace inspector::pt2
