#include "core/formats/session_document/graph_json.h"

#include "core/formats/session_document/argument_json.h"
#include "core/formats/session_document/names.h"
#include "core/formats/session_document/ranges_json.h"
#include "core/formats/session_document/value_meta_json.h"
#include "core/graph/verify.h"

namespace inspector::session_document {
namespace {

constexpr Names<Opcode, 6> opcodes{{
    {Opcode::placeholder, "placeholder"},
    {Opcode::get_attr, "get_attr"},
    {Opcode::call_function, "call_function"},
    {Opcode::call_method, "call_method"},
    {Opcode::call_module, "call_module"},
    {Opcode::output, "output"},
}};

constexpr Names<InputSpec::Kind, 7> input_kinds{{
    {InputSpec::Kind::user_input, "user_input"},
    {InputSpec::Kind::parameter, "parameter"},
    {InputSpec::Kind::buffer, "buffer"},
    {InputSpec::Kind::tensor_constant, "tensor_constant"},
    {InputSpec::Kind::custom_object, "custom_object"},
    {InputSpec::Kind::constant, "constant"},
    {InputSpec::Kind::token, "token"},
}};

constexpr Names<OutputSpec::Kind, 8> output_kinds{{
    {OutputSpec::Kind::user_output, "user_output"},
    {OutputSpec::Kind::buffer_mutation, "buffer_mutation"},
    {OutputSpec::Kind::user_input_mutation, "user_input_mutation"},
    {OutputSpec::Kind::parameter_mutation, "parameter_mutation"},
    {OutputSpec::Kind::gradient_to_parameter, "gradient_to_parameter"},
    {OutputSpec::Kind::gradient_to_user_input, "gradient_to_user_input"},
    {OutputSpec::Kind::loss_output, "loss_output"},
    {OutputSpec::Kind::token, "token"},
}};

Json node_json(const Graph& graph, const Node& node) {
    Json json{{"op", name_of(opcodes, node.opcode)}, {"name", node.name}, {"target", node.target}};
    for (const Argument& argument : node.args) json["args"].push_back(argument_json(graph, argument));
    for (const auto& [name, argument] : node.kwargs)
        json["kwargs"].push_back(Json::array({name, argument_json(graph, argument)}));
    put_text(json, "type", node.type);
    if (Json meta = value_meta_json(node.meta); !meta.is_null()) json["meta"] = std::move(meta);
    put_text(json, "stack_trace", node.origin.stack_trace);
    for (const auto& [name, value] : node.origin.properties) json["properties"].push_back(Json::array({name, value}));
    if (node.origin.created_by_pass) json["created_by_pass"] = true;
    return json;
}

Node read_node(const Graph& graph, const Json& json, const ReadLimits& limits) {
    Node node;
    node.opcode = value_of(opcodes, member(json, "op"), "kind of node");
    node.name = text(member(json, "name"));
    if (graph.find(node.name) != no_node)
        throw Malformed{&member(json, "name"), "another node is named \"" + node.name + '"'};
    node.target = text(member(json, "target"));
    if (const Json* args = find(json, "args"))
        for (const Json& argument : list(*args)) node.args.push_back(read_argument(graph, argument, limits.depth));
    const auto pairs = [&json](const char* key, auto&& take) {
        const Json* found = find(json, key);
        if (!found) return;
        for (const Json& pair : list(*found)) {
            if (list(pair).size() != 2) throw Malformed{&pair, "a name and a value belong here"};
            take(text(pair[0]), pair[1]);
        }
    };
    pairs("kwargs", [&](const std::string& name, const Json& value) {
        node.kwargs.emplace_back(name, read_argument(graph, value, limits.depth));
    });
    node.type = text_or_empty(json, "type");
    if (const Json* meta = find(json, "meta")) node.meta = read_value_meta(*meta);
    node.origin.stack_trace = text_or_empty(json, "stack_trace");
    pairs("properties", [&](const std::string& name, const Json& value) {
        node.origin.properties.emplace_back(name, text(value));
    });
    if (const Json* created = find(json, "created_by_pass")) node.origin.created_by_pass = boolean(*created);
    return node;
}

Json signature_json(const Signature& signature) {
    Json json{{"inputs", Json::array()}, {"outputs", Json::array()}};
    for (const InputSpec& input : signature.inputs) {
        Json item{{"kind", name_of(input_kinds, input.kind)}, {"placeholder", input.placeholder}};
        put_text(item, "target", input.target);
        if (input.persistent) item["persistent"] = *input.persistent;
        put_text(item, "record", input.record);
        json["inputs"].push_back(std::move(item));
    }
    for (const OutputSpec& output : signature.outputs) {
        Json item{{"kind", name_of(output_kinds, output.kind)}, {"value", output.value}};
        put_text(item, "target", output.target);
        json["outputs"].push_back(std::move(item));
    }
    return json;
}

Signature read_signature(const Json& json) {
    Signature signature;
    for (const Json& item : list(member(json, "inputs"))) {
        const Json* persistent = find(item, "persistent");
        signature.inputs.push_back({.kind = value_of(input_kinds, member(item, "kind"), "kind of input"),
                                    .placeholder = text(member(item, "placeholder")),
                                    .target = text_or_empty(item, "target"),
                                    .persistent = persistent ? std::optional(boolean(*persistent)) : std::nullopt,
                                    .record = text_or_empty(item, "record")});
    }
    for (const Json& item : list(member(json, "outputs")))
        signature.outputs.push_back({.kind = value_of(output_kinds, member(item, "kind"), "kind of output"),
                                     .value = text(member(item, "value")),
                                     .target = text_or_empty(item, "target")});
    return signature;
}

Json calls_json(const std::vector<ModuleCall>& calls) {
    Json json = Json::array();
    for (const ModuleCall& call : calls)
        json.push_back({{"module", call.module}, {"inputs", call.inputs}, {"outputs", call.outputs}});
    return json;
}

std::vector<std::string> read_texts(const Json& json) {
    std::vector<std::string> texts;
    for (const Json& item : list(json)) texts.push_back(text(item));
    return texts;
}

/// All of a graph but its nodes.
Json head_json(const ProgramGraph& graph, std::optional<std::size_t> parent) {
    Json json{{"id", graph.id}, {"kind", graph.kind}};
    put_text(json, "compile_id", graph.compile_id);
    put_text(json, "title", graph.title);
    if (parent) json["parent"] = *parent;
    put_text(json, "attribute", graph.attribute);
    if (graph.signature) json["signature"] = signature_json(*graph.signature);
    if (!graph.ranges.empty()) json["ranges"] = ranges_json(graph.ranges);
    if (!graph.hints.empty()) json["hints"] = graph.hints;
    if (!graph.module_calls.empty()) json["module_calls"] = calls_json(graph.module_calls);
    return json;
}

} // namespace

void print_graph(const ProgramGraph& graph, std::optional<std::size_t> parent, std::string& out) {
    std::string head = print_line(head_json(graph, parent));
    head.pop_back(); // the closing brace
    out += head + ",\n  \"nodes\":[";
    const char* separator = "\n   ";
    for (const NodeId id : graph.graph) {
        out += separator + print_line(node_json(graph.graph, graph.graph.node(id)));
        separator = ",\n   ";
    }
    out += "]}";
}

ProgramGraph read_graph_json(const Json& json, std::size_t before, const ReadOptions& options) {
    ProgramGraph graph;
    graph.id = text(member(json, "id"));
    graph.kind = text_or_empty(json, "kind");
    graph.compile_id = text_or_empty(json, "compile_id");
    graph.title = text_or_empty(json, "title");
    graph.attribute = text_or_empty(json, "attribute");
    if (const Json* parent = find(json, "parent")) {
        graph.parent = count(*parent);
        if (*graph.parent >= before) throw Malformed{parent, "a parent stands before its nested graphs"};
    }
    const Json& nodes = list(member(json, "nodes"));
    if (nodes.size() > options.limits.nodes)
        throw Malformed{&nodes, "has more than " + std::to_string(options.limits.nodes) + " nodes"};
    for (const Json& node : nodes) {
        if (options.cancelled && *options.cancelled) throw Malformed{&node, "reading was cancelled"};
        graph.graph.append(read_node(graph.graph, node, options.limits));
    }
    if (const auto faults = verify(graph.graph); !faults.empty())
        throw Malformed{&nodes, "the graph is not well-formed: " + faults.front().message()};
    graph.graph.forget_history();
    if (const Json* signature = find(json, "signature")) graph.signature = read_signature(*signature);
    if (const Json* ranges = find(json, "ranges")) graph.ranges = read_ranges(*ranges);
    if (const Json* hints = find(json, "hints")) graph.hints = read_hints(*hints);
    if (const Json* calls = find(json, "module_calls"))
        for (const Json& call : list(*calls))
            graph.module_calls.push_back({text(member(call, "module")), read_texts(member(call, "inputs")),
                                          read_texts(member(call, "outputs"))});
    return graph;
}

} // namespace inspector::session_document
