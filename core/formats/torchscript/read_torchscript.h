// A torch.jit.save archive as a program.
#pragma once

#include "core/formats/pt2/archive.h"
#include "core/formats/reader.h"

namespace inspector {

[[nodiscard]] bool is_script_archive(const pt2::Archive& archive);
/// Every method of the module is a graph: forward is "root", others have their names. Its attributes are placeholders, as
/// torch.export lifts them, with their layouts and records. See torchscript/lowering.h and import_code.h.
[[nodiscard]] Result<Program> read_script_archive(const pt2::Archive& archive, const std::string& path,
                                                  const ReadOptions& options);

} // namespace inspector
