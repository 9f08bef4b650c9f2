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

Result<ModelRecord> find_model(const Archive& archive) {
    ModelRecord model;
    if (archive.contains(old_record)) {
        model.record = old_record;
        model.has_old_layout = true;
        return model;
    }
    std::vector<std::string> records;
    for (const std::string& record : archive.records())
        if (record.starts_with(folder) && record.ends_with(ending)) records.push_back(record);
    if (records.empty()) return fail("", foreign_kind(archive));
    if (const auto usual = std::find(records.begin(), records.end(), "models/model.json"); usual != records.end())
        std::iter_swap(records.begin(), usual);
    model.record = records.front();
    model.name = model.record.substr(folder.size(), model.record.size() - folder.size() - ending.size());
    model.others.assign(records.begin() + 1, records.end());
    if (auto complete = check_entries(archive, model.name); !complete)
        return tl::unexpected(std::move(complete.error()));
    return model;
}

} // namespace inspector::pt2
