// Weights and constants of an archive: which record holds which, and as what view. Their bytes are not read here.
#pragma once

#include <string>
#include <vector>

#include "core/formats/pt2/archive.h"
#include "core/formats/pt2/json_tree.h"
#include "core/formats/pt2/value_meta_reader.h"
#include "core/graph/program.h"

namespace inspector::pt2 {

/// `config` is a PayloadConfig; its records lie in `folder` ("data/weights/"). Throws Malformed where a record is
/// missing or smaller than the view of it.
[[nodiscard]] std::vector<StoredTensor> read_stored_tensors(Json& config, const std::string& folder,
                                                            const Archive& archive, ValueMetaReader& metas);

} // namespace inspector::pt2
