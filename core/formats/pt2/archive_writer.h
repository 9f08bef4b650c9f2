// Writing a .pt2 archive as torch does: records stored as they are, aligned to 64 bytes.
#pragma once

#include <map>
#include <string>

#include "core/formats/atomic_file.h"
#include "core/formats/pt2/archive.h"
#include "core/graph/result.h"

namespace inspector::pt2 {

/// Every record of `source` in its order, byte for byte, except that those in `replaced` have its contents, and that the
/// checksum of all which torch keeps in .data/serialization_id is made anew. One record at a time is in memory. Errors: a
/// record of `source` cannot be read, which is the error's place; without a place, LibTorch could not write.
[[nodiscard]] Result<void> write_archive(const Archive& source, const std::map<std::string, std::string>& replaced,
                                         const PieceWriter& write);

} // namespace inspector::pt2
