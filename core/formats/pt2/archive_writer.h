// Writing a .pt2 archive as torch does: records stored as they are, aligned to 64 bytes.
#pragma once

#include <string_view>

#include "core/formats/atomic_file.h"
#include "core/formats/pt2/archive.h"
#include "core/graph/result.h"

namespace inspector::pt2 {

/// Every record of `source` in its order, byte for byte, except that `record` has `content`, and that the checksum of
/// all which torch keeps in .data/serialization_id is made anew. One record at a time is in memory.
[[nodiscard]] Result<void> write_archive(const Archive& source, std::string_view record, std::string_view content,
                                         const PieceWriter& write);

} // namespace inspector::pt2
