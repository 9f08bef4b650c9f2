#include "core/formats/pt2/writer.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <new>
#include <vector>

#include "core/formats/atomic_file.h"
#include "core/formats/pt2/archive.h"
#include "core/formats/pt2/archive_writer.h"
#include "core/formats/pt2/custom_metadata.h"
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

/// Puts the specifications that `rewritten` has more than `original` in front.
void add_outputs(Json& specifications, const ProgramGraph& original, const ProgramGraph& rewritten) {
    using Kind = OutputSpec::Kind;
    struct Form {
        std::string_view name, target;
    };
    const auto form = [](Kind kind) -> Form {
        switch (kind) {
        case Kind::buffer_mutation: return {"buffer_mutation", "buffer_name"};
        case Kind::parameter_mutation: return {"parameter_mutation", "parameter_name"};
        case Kind::user_input_mutation: return {"user_input_mutation", "user_input_name"};
        default: throw Malformed("signature", "an output was added that is no input's final value");
        }
    };
    if (!original.signature || !rewritten.signature) return;
    const std::vector<OutputSpec>& outputs = rewritten.signature->outputs;
    Json::Array added;
    for (std::size_t i = 0; i + original.signature->outputs.size() < outputs.size(); ++i) {
        const auto [name, target] = form(outputs[i].kind);
        Json value{Json::Object{{"name", {outputs[i].value}}}};
        Json content{Json::Object{{"arg", std::move(value)}, {std::string(target), {outputs[i].target}}}};
        added.push_back({Json::Object{{std::string(name), std::move(content)}}});
    }
    Json::Array& specs = specifications.items();
    specs.insert(specs.begin(), std::make_move_iterator(added.begin()), std::make_move_iterator(added.end()));
}

/// A graph of the file, and what became of it.
struct Rewritten {
    const ProgramGraph& original;
    const Graph& graph;
    const ProgramGraph* program_graph; ///< where its signature may have changed
    const DecisionRecords& records;
};

std::size_t count_results(const Graph& graph) {
    const Argument& returned = graph.node(graph.output()).args.front();
    const auto* list = returned.as<ArgumentList>();
    return list ? list->items.size() : 1;
}

/// `model`: the root graph's id.
void rewrite_graph(Json& graph_module, const std::string& model, const Rewritten& rewritten) {
    const ProgramGraph& original = rewritten.original;
    std::vector<Json*> graphs;
    std::string_view path = original.parent ? std::string_view(original.id) : "";
    if (original.parent && model != "root") path.remove_prefix(model.size() + 1);
    find_graphs(graph_module.at("graph"), path, graphs);
    if (graphs.empty()) throw Malformed("the graph '" + original.id + "' is not in the file");
    const bool may_return_more = rewritten.program_graph && rewritten.program_graph->signature && !original.parent;
    if (!may_return_more && rewritten.graph.output() != no_node && count_results(rewritten.graph) != count_results(original.graph))
        throw Malformed("outputs", "their number has changed, which cannot be written");
    bool is_changed = false;
    for (Json* graph : graphs) is_changed |= write_graph(*graph, original.graph, rewritten.graph, rewritten.records.nodes);
    if (!rewritten.records.empty()) set_custom(graph_module, {"reinplace", original.id}, rewritten.records.graph);
    else if (is_changed) drop_custom(graph_module, {"reinplace", original.id});
    if (original.parent) return;
    Json& specifications = graph_module.at("signature").at("output_specs");
    if (rewritten.program_graph) add_outputs(specifications, original, *rewritten.program_graph);
    rename_outputs(specifications, rewritten.graph);
    drop_broken_module_calls(graph_module.at("module_call_graph"), rewritten.graph);
}

/// `rewritten`: nested graphs before those that hold them, since a graph is stored within the node that calls it.
std::string rewritten_model(const std::string& text, const std::string& model, const std::vector<Rewritten>& rewritten, bool may_become_functional) {
    JsonLimits limits;
    limits.depth = ReadLimits{}.depth;
    Json json = parse_json(text, limits);
    for (const Rewritten& graph : rewritten) rewrite_graph(json.at("graph_module"), model, graph);
    const auto mutates = [](const Rewritten& graph) { return has_new_mutation(graph.original.graph, graph.graph); };
    if (std::any_of(rewritten.begin(), rewritten.end(), mutates))
        json.at("verifiers").value = Json::Array{{std::string("TRAINING")}};
    else if (may_become_functional)
        json.at("verifiers").value = Json::Array{{std::string("ATEN")}};
    return format_json(json);
}

/// `may_become_functional`: all graphs of a program are given, which may write nothing any more.
Result<void> write(const std::string& source_path, const std::vector<Rewritten>& rewritten, bool may_become_functional,
                   const std::string& out_path) {
    const auto archive = Archive::open(source_path);
    if (!archive) return tl::unexpected(archive.error());
    const auto models = find_models(*archive);
    if (!models) return tl::unexpected(models.error());
    if (models->front().has_old_layout)
        return fail("", "has the layout from before torch 2.8, which is read but not written; torch.export.load and "
                        "save make it new");
    std::map<std::string, std::string> replaced;
    for (const ModelRecord& model : *models) {
        std::vector<Rewritten> of_model;
        for (const Rewritten& graph : rewritten)
            if (&model_of_graph(*models, graph.original.id) == &model) of_model.push_back(graph);
        if (of_model.empty()) continue;
        const auto text = archive->read(model.record, ReadLimits{}.text_bytes);
        if (!text) return tl::unexpected(text.error());
        const bool is_functional = may_become_functional && std::all_of(of_model.begin(), of_model.end(), [](const Rewritten& graph) {
            return pt2::is_functional(graph.graph);
        });
        try {
            replaced[model.record] = rewritten_model(*text, models->size() == 1 ? "root" : model.name, of_model, is_functional);
        } catch (Malformed& error) {
            error.within(model.record);
            return fail(std::move(error.place), std::move(error.reason));
        }
    }
    auto written = write_file_atomically(
        out_path, [&](const PieceWriter& sink) { return write_archive(*archive, replaced, sink); });
    // What has no record is a fault of the file that is written, not of the one it is made from.
    if (!written && written.error().file.empty() && written.error().place.empty()) written.error().file = out_path;
    return written;
}

Result<void> write_checked(const std::string& source_path, const std::vector<Rewritten>& rewritten, bool may_become_functional,
                           const std::string& out_path) {
    Error error{source_path, {}, "there is not enough memory to write it"};
    try {
        auto written = write(source_path, rewritten, may_become_functional, out_path);
        if (written) return {};
        error = std::move(written.error());
        if (error.file.empty()) error.file = source_path;
    } catch (const std::bad_alloc&) {
        // Said above.
    }
    return tl::unexpected(std::move(error));
}

} // namespace
} // namespace pt2

std::string why_not_pt2(const Program& program) {
    if (!program.archive || program.format == "torchscript") return "only what was read from a .pt2 can be written as one";
    return program.archive->is_at_hand ? "" : "the .pt2 it was made from is not at hand: " + program.archive->path;
}

Result<void> write_pt2(const std::string& source_path, const ProgramGraph& original, const Graph& rewritten,
                       const std::string& out_path, const DecisionRecords& records) {
    return pt2::write_checked(source_path, {{original, rewritten, nullptr, records}}, false, out_path);
}

Result<void> write_pt2(const std::string& source_path, const Program& original, const Program& rewritten,
                       const std::string& out_path) {
    const DecisionRecords none;
    std::vector<pt2::Rewritten> graphs;
    for (std::size_t i = original.graphs.size(); i-- > 0;) {
        graphs.push_back({original.graphs[i], rewritten.graphs[i].graph, &rewritten.graphs[i], none});
    }
    return pt2::write_checked(source_path, graphs, true, out_path);
}

} // namespace inspector
