#include "core/formats/pt2/stored_tensors.h"

namespace inspector::pt2 {
namespace {

StoredTensor read_entry(const std::string& name, Json& entry, const std::string& folder, const Archive& archive,
                        ValueMetaReader& metas) {
    StoredTensor stored;
    stored.name = name;
    stored.record = folder + entry.at("path_name").text();
    stored.is_parameter = entry.at("is_param").boolean();
    stored.is_pickled = entry.at("use_pickle").boolean();
    Json* meta = entry.find("tensor_meta");
    if (meta) stored.meta = metas.tensor(*meta);
    else if (!stored.is_pickled) throw Malformed("'tensor_meta' is missing");

    const auto size = archive.size(stored.record);
    if (!size) throw Malformed("its record " + stored.record + " is missing in the archive");
    // An empty record stands for zeros (torch.export.save of fake tensors).
    if (!stored.is_pickled && *size != 0)
        if (const auto bytes = storage_bytes(stored.meta); bytes && static_cast<std::uint64_t>(*bytes) > *size)
            throw Malformed("needs " + std::to_string(*bytes) + " bytes; its record " + stored.record + " has " +
                            std::to_string(*size));
    return stored;
}

} // namespace

std::vector<StoredTensor> read_stored_tensors(Json& config, const std::string& folder, const Archive& archive,
                                              ValueMetaReader& metas) {
    std::vector<StoredTensor> tensors;
    for (auto& [name, entry] : config.at("config").members()) {
        try {
            tensors.push_back(read_entry(name, entry, folder, archive, metas));
        } catch (Malformed& error) {
            error.within("'" + name + "'");
            throw;
        }
    }
    return tensors;
}

} // namespace inspector::pt2
