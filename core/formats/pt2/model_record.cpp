#include "core/formats/pt2/model_record.h"

#include <algorithm>

namespace inspector::pt2 {
namespace {

constexpr std::string_view old_record = "serialized_exported_program.json";
constexpr std::string_view folder = "models/";
constexpr std::string_view ending = ".json";

/// What the archive is instead.
std::string foreign_kind(const Archive& archive) {
    const bool is_compiled =
        std::any_of(archive.records().begin(), archive.records().end(),
                    [](const std::string& record) { return record.starts_with("data/aotinductor/"); });
    if (is_compiled) return "is an AOTInductor package: it holds compiled code and no graph";
    if (archive.contains("constants.pkl")) return "is a TorchScript archive, which holds no exported program";
    if (archive.contains("data.pkl")) return "is a file of torch.save, which holds no exported program";
    return "is a ZIP archive without models/model.json: no exported program";
}

Result<void> check_entries(const Archive& archive, const std::string& name) {
    const auto format = archive.read("archive_format", 64);
    if (!format) return tl::unexpected(format.error());
    if (*format != "pt2") return fail("archive_format", "does not say 'pt2'");
    for (const std::string& record : {std::string("archive_version"), "data/sample_inputs/" + name + ".pt"})
        if (!archive.contains(record)) return fail(record, "is missing in the archive");
    if (!archive.contains(".data/version") && !archive.contains("version"))
        return fail(".data/version", "is missing in the archive");
    return {};
}

} // namespace

Result<std::vector<ModelRecord>> find_models(const Archive& archive) {
    if (archive.contains(old_record)) return std::vector{ModelRecord{std::string(old_record), {}, true}};
    std::vector<ModelRecord> models;
    for (const std::string& record : archive.records())
        if (record.starts_with(folder) && record.ends_with(ending))
            models.push_back({record, record.substr(folder.size(), record.size() - folder.size() - ending.size()), false});
    if (models.empty()) return fail("", foreign_kind(archive));
    std::stable_partition(models.begin(), models.end(), [](const ModelRecord& model) { return model.name == "model"; });
    for (const ModelRecord& model : models)
        if (auto complete = check_entries(archive, model.name); !complete) return tl::unexpected(std::move(complete.error()));
    return models;
}

const ModelRecord& model_of_graph(const std::vector<ModelRecord>& models, const std::string& graph_id) {
    const ModelRecord* found = &models.front();
    std::size_t longest = 0;
    for (const ModelRecord& model : models) {
        const bool has_it = graph_id == model.name || graph_id.starts_with(model.name + ".");
        if (models.size() > 1 && has_it && model.name.size() >= longest) {
            found = &model;
            longest = model.name.size();
        }
    }
    return *found;
}

} // namespace inspector::pt2
