#include <cstdint>

#include <caffe2/serialize/inline_container.h>

#include "core/libtorch/entries.h"

namespace inspector {

Result<void> entries::write_archive(const pt2::Archive& source, const std::map<std::string, std::string>& replaced,
                                    const PieceWriter& write) {
    // The writer is never told of a failure: its destructor goes on writing, and would throw.
    bool is_writable = true;
    const auto pass_on = [&](const void* data, std::size_t size) {
        is_writable = is_writable && write({static_cast<const char*>(data), size});
        return size;
    };
    try {
        caffe2::serialize::PyTorchStreamWriter writer(pass_on);
        for (const std::string& name : source.records()) {
            if (name == ".data/serialization_id") continue; // the writer makes it
            if (const auto other = replaced.find(name); other != replaced.end()) {
                writer.writeRecord(name, other->second.data(), other->second.size());
                continue;
            }
            const auto bytes = source.read(name, UINT64_MAX);
            if (!bytes) return tl::unexpected(bytes.error());
            writer.writeRecord(name, bytes->data(), bytes->size());
        }
        writer.writeEndOfFile();
    } catch (const std::exception& error) {
        return fail("", std::string("LibTorch could not write the archive: ") + error.what());
    }
    return {};
}

} // namespace inspector
