#include "core/formats/pt2/writer.h"

#include <algorithm>
#include <new>

#include "core/formats/atomic_file.h"
#include "core/formats/pt2/archive.h"
#include "core/formats/pt2/archive_writer.h"
#include "core/formats/pt2/graph_writer.h"
#include "core/formats/pt2/json_tree.h"
#include "core/formats/pt2/model_record.h"
#include "core/formats/pt2/value_names.h"
#include "core/formats/reader.h"

namespace inspector {
namespace pt2 {
namespace {

/// Follows "true_graph_0.body_graph_0" from the root; a graph that several nodes call is stored with each.
void find_graphs(Json& graph, std::string_view path, std::vector<Json*>& found) {
    if (path.empty()) {
        found.push_back(&graph);
        return;
    }
    const auto dot = path.find('.');
    const std::string_view attribute = path.substr(0, dot);
    const std::string_view rest = dot == std::string_view::npos ? "" : path.substr(dot + 1);
    for_each_nested(graph, [&](Json& argument) {
        if (argument.at("name").text() == attribute) find_graphs(argument.at("graph"), rest, found);
    });
}

/// Gives the specifications the names that the graph's outputs have now: a mutation may be made by another node, or on
/// the input itself.
void rename_outputs(Json& specifications, const Graph& rewritten) {
    const Argument& returned = rewritten.node(rewritten.output()).args.front();
    const auto* list = returned.as<ArgumentList>();
    const std::vector<Argument> results = list ? list->items : std::vector<Argument>{returned};
    Json::Array& specs = specifications.items();
    for (std::size_t i = 0; i < specs.size() && i < results.size(); ++i) {
        if (results[i].node() == no_node) continue;
        Json& argument = specs[i].alternative().value.at("arg");
        if (std::string* name = result_name(argument)) *name = rewritten.node(results[i].node()).name;
    }
}

/// A module call that names a value which is gone cannot be told apart any more; torch's verifier would refuse it.
void drop_broken_module_calls(Json& calls, const Graph& rewritten) {
    for (Json& call : calls.items()) {
        Json* signature = call.find("signature");
        if (!signature) continue;
        const auto is_gone = [&](Json& argument) {
            const std::string* name = value_name(argument.alternative());
            return name && rewritten.find(*name) == no_node;
        };
        const auto has_gone = [&](std::string_view side) {
            Json::Array& arguments = signature->at(side).items();
            return std::any_of(arguments.begin(), arguments.end(), is_gone);
        };
        if (has_gone("inputs") || has_gone("outputs")) call.at("signature").value = std::monostate{};
    }
}

std::string rewritten_model(const std::string& text, const ProgramGraph& original, const Graph& rewritten) {
    JsonLimits limits;
    limits.depth = ReadLimits{}.depth;
    Json json = parse_json(text, limits);
    Json& graph_module = json.at("graph_module");
    std::vector<Json*> graphs;
    find_graphs(graph_module.at("graph"), original.parent ? std::string_view(original.id) : "", graphs);
    if (graphs.empty()) throw Malformed("the graph '" + original.id + "' is not in the file");
    for (Json* graph : graphs) write_graph(*graph, original.graph, rewritten);
    if (!original.parent) {
        rename_outputs(graph_module.at("signature").at("output_specs"), rewritten);
        drop_broken_module_calls(graph_module.at("module_call_graph"), rewritten);
    }
    if (has_new_mutation(original.graph, rewritten))
        json.at("verifiers").value = Json::Array{{std::string("TRAINING")}};
    return format_json(json);
}

Result<void> write(const std::string& source_path, const ProgramGraph& original, const Graph& rewritten,
                   const std::string& out_path) {
    const auto archive = Archive::open(source_path);
    if (!archive) return tl::unexpected(archive.error());
    const auto model = find_model(*archive);
    if (!model) return tl::unexpected(model.error());
    if (model->has_old_layout)
        return fail("", "has the layout from before torch 2.8, which is read but not written; torch.export.load and "
                        "save make it new");
    const auto text = archive->read(model->record, ReadLimits{}.text_bytes);
    if (!text) return tl::unexpected(text.error());
    std::string content;
    try {
        content = rewritten_model(*text, original, rewritten);
    } catch (Malformed& error) {
        error.within(model->record);
        return fail(std::move(error.place), std::move(error.reason));
    }
    return write_file_atomically(
        out_path, [&](const PieceWriter& sink) { return write_archive(*archive, model->record, content, sink); });
}

} // namespace
} // namespace pt2

Result<void> write_pt2(const std::string& source_path, const ProgramGraph& original, const Graph& rewritten,
                       const std::string& out_path) {
    Error error{source_path, {}, "there is not enough memory to write it"};
    try {
        auto written = pt2::write(source_path, original, rewritten, out_path);
        if (written) return {};
        error = std::move(written.error());
        if (error.file.empty()) error.file = source_path;
    } catch (const std::bad_alloc&) {
        // Said above.
    }
    return tl::unexpected(std::move(error));
}

} // namespace inspector
