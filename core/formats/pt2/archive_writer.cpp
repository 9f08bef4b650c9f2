#include "core/formats/pt2/archive_writer.h"

#include "core/libtorch/library.h"

namespace inspector::pt2 {

Result<void> write_archive(const Archive& source, const std::map<std::string, std::string>& replaced, const PieceWriter& write) {
    return ask_libtorch(&LibTorch::write_archive, source, replaced, write);
}

} // namespace inspector::pt2
