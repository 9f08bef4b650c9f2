// read_pt2: the archive of torch.export.save, in the layout of torch 2.8 and later or in the one before it.
#include "core/formats/reader.h"

#include <algorithm>
#include <new>

#include "core/formats/pt2/archive.h"
#include "core/formats/pt2/graph_reader.h"
#include "core/formats/pt2/json_tree.h"
#include "core/formats/pt2/signature_reader.h"
#include "core/formats/pt2/stored_tensors.h"
#include "core/formats/pt2/value_meta_reader.h"

namespace inspector {
namespace pt2 {
namespace {

constexpr std::int64_t schema_major = 8;
constexpr std::string_view old_model = "serialized_exported_program.json";
constexpr std::string_view models_folder = "models/";

/// Runs `action` on a record's JSON; what it throws names the record.
template <typename Action> auto with_json(const Archive& archive, const std::string& record, const ReadOptions& options, Action&& action) {
    const auto text = archive.read(record, options.limits.text_bytes);
    if (!text) throw Malformed(text.error().place, text.error().reason);
    try {
        JsonLimits limits;
        limits.depth = options.limits.depth;
        limits.cancelled = options.cancelled;
        Json json = parse_json(*text, limits);
        return action(json);
    } catch (Malformed& error) {
        error.within(record);
        throw;
    }
}

/// Runs `action`; what it throws names `place`.
template <typename Action> void located(std::string_view place, Action&& action) {
    try {
        action();
    } catch (Malformed& error) {
        error.within(place);
        throw;
    }
}

/// What else the archive is, where it holds no exported program.
std::string foreign_kind(const Archive& archive) {
    const auto has_folder = [&](std::string_view folder) {
        return std::any_of(archive.records().begin(), archive.records().end(), [&](const std::string& record) { return record.starts_with(folder); });
    };
    if (has_folder("data/aotinductor/")) return "is an AOTInductor package: it holds compiled code and no graph";
    if (archive.contains("constants.pkl")) return "is a TorchScript archive, which holds no exported program";
    if (archive.contains("data.pkl")) return "is a file of torch.save, which holds no exported program";
    return "is a ZIP archive without models/model.json: no exported program";
}

/// The record of the program that torch.export.load would give: "model", else the first.
std::string find_model(const Archive& archive, std::vector<std::string>& notes) {
    std::vector<std::string> models;
    for (const std::string& record : archive.records())
        if (record.starts_with(models_folder) && record.ends_with(".json")) models.push_back(record);
    if (models.empty()) throw Malformed(foreign_kind(archive));
    const auto usual = std::find(models.begin(), models.end(), "models/model.json");
    std::iter_swap(models.begin(), usual == models.end() ? models.begin() : usual);
    for (std::size_t i = 1; i < models.size(); ++i) notes.push_back("the archive also holds " + models[i] + ", which is not shown");
    return models.front();
}

/// torch.export.load refuses an archive without these.
void check_entries(const Archive& archive, const std::string& model) {
    const auto format = archive.read("archive_format", 64);
    if (!format) throw Malformed(format.error().place, format.error().reason);
    if (*format != "pt2") throw Malformed("archive_format", "says '" + *format + "', not 'pt2'");
    for (const std::string& record : {std::string("archive_version"), "data/sample_inputs/" + model + ".pt"})
        if (!archive.contains(record)) throw Malformed(record, "is missing in the archive");
    if (!archive.contains(".data/version") && !archive.contains("version")) throw Malformed(".data/version", "is missing in the archive");
}

/// Weights, then constants. Before torch 2.8 each lay in one pickle, which is not opened.
void read_tensors(const Archive& archive, const std::string& model, const ReadOptions& options, ValueMetaReader& metas, Program& program) {
    for (const auto& [folder, config] : {std::pair{std::string("data/weights/"), model + "_weights_config.json"},
                                         std::pair{std::string("data/constants/"), model + "_constants_config.json"}}) {
        if (archive.contains(folder + model + ".pt")) {
            program.notes.push_back(folder + model + ".pt is a pickle, which is not opened: its tensors are unknown");
            continue;
        }
        auto tensors = with_json(archive, folder + config, options, [&](Json& json) { return read_stored_tensors(json, folder, archive, metas); });
        std::move(tensors.begin(), tensors.end(), std::back_inserter(program.tensors));
    }
}

void read_model(Json& json, const ReadOptions& options, ValueMetaReader& metas, Program& program) {
    Json& version = json.at("schema_version");
    const std::int64_t major = version.at("major").integer();
    if (major != schema_major && major != 0)
        program.notes.push_back("the file has version " + std::to_string(major) + " of the schema; this program knows version " + std::to_string(schema_major));
    if (Json* torch_version = json.find("torch_version")) program.torch_version = torch_version->text();
    if (Json* verifiers = json.find("verifiers"))
        for (Json& verifier : verifiers->items()) program.verifiers.push_back(verifier.text());

    Json& graph_module = json.at("graph_module");
    Signature signature;
    located("signature", [&] { signature = read_signature(graph_module.at("signature")); });
    std::vector<std::string> constant_inputs;
    for (const InputSpec& input : signature.inputs) constant_inputs.push_back(input.kind == InputSpec::Kind::constant ? input.placeholder : "");

    read_graphs(graph_module.at("graph"), constant_inputs, metas, options, program.graphs);
    ProgramGraph& root = program.graphs.front();
    located("signature", [&] { check_signature(signature, root.graph); });
    root.signature = std::move(signature);
    located("range_constraints", [&] { root.ranges = read_ranges(json.at("range_constraints")); });
    root.module_calls = read_module_calls(graph_module.at("module_call_graph"));
    for (ProgramGraph& graph : program.graphs) graph.hints = metas.hints();
}

Program read(const std::string& path, const ReadOptions& options) {
    const auto archive = Archive::open(path);
    if (!archive) throw Malformed(archive.error().place, archive.error().reason);
    Program program;
    program.path = path;
    program.format = "pt2";
    ValueMetaReader metas;
    std::string record(old_model);
    if (archive->contains(old_model)) {
        program.notes.emplace_back("the archive has the layout from before torch 2.8: its tensors are in pickles, which are not opened");
    } else {
        record = find_model(*archive, program.notes);
        const std::string model = record.substr(models_folder.size(), record.size() - models_folder.size() - std::string_view(".json").size());
        check_entries(*archive, model);
        read_tensors(*archive, model, options, metas, program);
    }
    if (options.progress) options.progress(10);
    with_json(*archive, record, options, [&](Json& json) {
        if (options.progress) options.progress(50);
        read_model(json, options, metas, program);
    });
    if (options.progress) options.progress(100);
    return program;
}

} // namespace
} // namespace pt2

Result<Program> read_pt2(const std::string& path, const ReadOptions& options) {
    Error error{path, {}, {}};
    try {
        return pt2::read(path, options);
    } catch (pt2::Malformed& malformed) {
        error.place = std::move(malformed.place);
        error.reason = std::move(malformed.reason);
    } catch (const std::bad_alloc&) {
        error.reason = "there is not enough memory to read it";
    }
    return tl::unexpected(std::move(error));
}

} // namespace inspector
