#include "core/formats/pt2/archive_writer.h"

#include "core/libtorch/library.h"

namespace inspector::pt2 {

Result<void> write_archive(const Archive& source, const std::map<std::string, std::string>& replaced, const PieceWriter& write) {
    const auto& torch = libtorch();
    if (!torch) return tl::unexpected(torch.error());
    return (*torch)->write_archive(source, replaced, write);
}

} // namespace inspector::pt2
