// read_pt2: the archive of torch.export.save, in the layout of torch 2.8 and later or in the one before it.
#include "core/formats/reader.h"

#include <iterator>
#include <map>
#include <new>
#include <string_view>

#include "core/formats/pt2/archive.h"
#include "core/formats/pt2/graph_reader.h"
#include "core/formats/pt2/json_tree.h"
#include "core/formats/pt2/model_record.h"
#include "core/formats/pt2/signature_reader.h"
#include "core/formats/pt2/stored_tensors.h"
#include "core/formats/pt2/tensor_archive.h"
#include "core/formats/pt2/value_meta_reader.h"

namespace inspector {
namespace pt2 {
namespace {

constexpr std::int64_t schema_major = 8;

/// Runs `action` on a record's JSON; what it throws names the record.
template <typename Action>
auto with_json(const Archive& archive, const std::string& record, const ReadOptions& options, Action&& action) {
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

/// Weights, then constants. Before torch 2.8 each lay in one pickle, which is not opened.
void read_tensors(const Archive& archive, const std::string& model, const ReadOptions& options, ValueMetaReader& metas,
                  Program& program) {
    for (const auto& [folder, config] : {std::pair{std::string("data/weights/"), model + "_weights_config.json"},
                                         std::pair{std::string("data/constants/"), model + "_constants_config.json"}}) {
        if (archive.contains(folder + model + ".pt")) {
            program.notes.push_back(folder + model + ".pt is a pickle, which is not opened: its tensors are unknown");
            continue;
        }
        auto tensors = with_json(archive, folder + config, options,
                                 [&](Json& json) { return read_stored_tensors(json, folder, archive, metas); });
        std::move(tensors.begin(), tensors.end(), std::back_inserter(program.tensors));
    }
}

/// `id`: of the root graph.
void read_model(Json& json, const std::string& id, const ReadOptions& options, ValueMetaReader& metas, Program& program) {
    const std::size_t first = program.graphs.size();
    Json& version = json.at("schema_version");
    const std::int64_t major = version.at("major").integer();
    if (major != schema_major && major != 0)
        program.notes.push_back("the file has version " + std::to_string(major) +
                                " of the schema; this program knows version " + std::to_string(schema_major));
    if (Json* torch_version = json.find("torch_version"); torch_version && first == 0) program.torch_version = torch_version->text();
    if (Json* verifiers = json.find("verifiers"); verifiers && first == 0)
        for (Json& verifier : verifiers->items()) program.verifiers.push_back(verifier.text());

    Json& graph_module = json.at("graph_module");
    Signature signature;
    located("signature", [&] { signature = read_signature(graph_module.at("signature")); });
    std::vector<std::string> constant_inputs;
    for (const InputSpec& input : signature.inputs)
        constant_inputs.push_back(input.kind == InputSpec::Kind::constant ? input.placeholder : "");

    read_graphs(graph_module.at("graph"), id, constant_inputs, metas, options, program.graphs);
    ProgramGraph& root = program.graphs[first];
    located("signature", [&] { check_signature(signature, root.graph); });
    root.signature = std::move(signature);
    located("range_constraints", [&] { root.ranges = read_ranges(json.at("range_constraints")); });
    root.module_calls = read_module_calls(graph_module.at("module_call_graph"));
    for (std::size_t i = first; i < program.graphs.size(); ++i) program.graphs[i].hints = metas.hints();
}

/// Which inputs lie in the same record: buffers that are views of each other, tied weights.
void name_records(Program& program, std::size_t first_graph, std::size_t first_tensor) {
    std::map<std::string_view, const StoredTensor*> stored;
    for (std::size_t i = first_tensor; i < program.tensors.size(); ++i)
        if (!program.tensors[i].is_pickled) stored.emplace(program.tensors[i].name, &program.tensors[i]);
    for (std::size_t i = first_graph; i < program.graphs.size(); ++i) {
        ProgramGraph& graph = program.graphs[i];
        if (!graph.signature) continue;
        for (InputSpec& input : graph.signature->inputs)
            if (const auto found = stored.find(input.target); !input.target.empty() && found != stored.end())
                input.record = found->second->record;
    }
}

Program read(const std::string& path, const ReadOptions& options) {
    const auto archive = Archive::open(path);
    if (!archive) throw Malformed(archive.error().place, archive.error().reason);
    Program program;
    program.path = path;
    program.format = "pt2";
    program.archive = tensor_archive(*archive, path);
    const auto models = find_models(*archive);
    if (!models) throw Malformed(models.error().place, models.error().reason);
    for (const ModelRecord& model : *models) {
        const std::size_t first_graph = program.graphs.size(), first_tensor = program.tensors.size();
        ValueMetaReader metas;
        if (model.has_old_layout)
            program.notes.emplace_back(
                "the archive has the layout from before torch 2.8: its tensors are in pickles, which are not opened");
        else read_tensors(*archive, model.name, options, metas, program);
        if (options.progress) options.progress(10);
        with_json(*archive, model.record, options, [&](Json& json) {
            if (options.progress) options.progress(50);
            read_model(json, models->size() == 1 ? "root" : model.name, options, metas, program);
        });
        name_records(program, first_graph, first_tensor);
    }
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
