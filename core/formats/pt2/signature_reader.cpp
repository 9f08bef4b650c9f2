#include "core/formats/pt2/signature_reader.h"

#include <array>

#include "core/formats/pt2/value_names.h"
#include "core/graph/count_text.h"

namespace inspector::pt2 {
namespace {

/// A value's name, or a constant as Python writes it.
std::string argument_text(Json& argument) {
    JsonMember& alternative = argument.alternative();
    if (const std::string* name = value_name(alternative)) return *name;
    const auto& value = alternative.value.value;
    if (alternative.key == "as_none") return "None";
    if (const auto* boolean = std::get_if<bool>(&value)) return *boolean ? "True" : "False";
    if (const auto* integer = std::get_if<std::int64_t>(&value)) return std::to_string(*integer);
    if (const auto* number = std::get_if<JsonNumber>(&value)) return number->text;
    if (const auto* text = std::get_if<std::string>(&value)) return *text;
    return alternative.key;
}

std::string tensor_name(Json& specification) { return specification.at("arg").at("name").text(); }

InputSpec read_input(Json& json) {
    using Kind = InputSpec::Kind;
    auto& [form, content] = json.alternative();
    if (form == "user_input") {
        const std::string* name = value_name(content.at("arg").alternative());
        return {Kind::user_input, name ? *name : "", "", {}};
    }
    if (form == "parameter") return {Kind::parameter, tensor_name(content), content.at("parameter_name").text(), {}};
    if (form == "buffer") {
        Json* persistent = content.find("persistent"); // since torch 2.3
        return {Kind::buffer, tensor_name(content), content.at("buffer_name").text(),
                !persistent || persistent->boolean()};
    }
    if (form == "tensor_constant")
        return {Kind::tensor_constant, tensor_name(content), content.at("tensor_constant_name").text(), {}};
    if (form == "custom_obj")
        return {Kind::custom_object, tensor_name(content), content.at("custom_obj_name").text(), {}};
    if (form == "constant_input") return {Kind::constant, content.at("name").text(), "", {}};
    if (form == "token") return {Kind::token, tensor_name(content), "", {}};
    throw Malformed("'" + form + "' is an unknown kind of input");
}

OutputSpec read_output(Json& json) {
    using Kind = OutputSpec::Kind;
    struct Form {
        std::string_view name;
        Kind kind;
        std::string_view target;
    };
    static constexpr std::array forms{
        Form{"buffer_mutation", Kind::buffer_mutation, "buffer_name"},
        Form{"user_input_mutation", Kind::user_input_mutation, "user_input_name"},
        Form{"parameter_mutation", Kind::parameter_mutation, "parameter_name"},
        Form{"gradient_to_parameter", Kind::gradient_to_parameter, "parameter_name"},
        Form{"gradient_to_user_input", Kind::gradient_to_user_input, "user_input_name"},
        Form{"loss_output", Kind::loss_output, ""},
        Form{"token", Kind::token, ""},
    };
    auto& [form, content] = json.alternative();
    if (form == "user_output") return {Kind::user_output, argument_text(content.at("arg")), ""};
    for (const auto& [name, kind, target] : forms)
        if (form == name) return {kind, tensor_name(content), target.empty() ? "" : content.at(target).text()};
    throw Malformed("'" + form + "' is an unknown kind of output");
}

template <typename Read> auto read_list(Json& list, std::string_view place, Read&& read) {
    std::vector<decltype(read(list))> result;
    for (Json& item : list.items()) {
        try {
            result.push_back(read(item));
        } catch (Malformed& error) {
            error.within(std::string(place) + " " + std::to_string(result.size()));
            throw;
        }
    }
    return result;
}

/// nullopt for infinity, which torch writes as null and wrote as a string or a number beyond int64.
std::optional<std::int64_t> bound(Json& range, std::string_view name) {
    Json* value = range.find(name);
    if (!value || !std::holds_alternative<std::int64_t>(value->value)) return std::nullopt;
    return value->integer();
}

} // namespace

Signature read_signature(Json& signature) {
    return {read_list(signature.at("input_specs"), "input", read_input),
            read_list(signature.at("output_specs"), "output", read_output)};
}

void check_signature(Signature& signature, const Graph& graph) {
    const std::vector<NodeId> placeholders = graph.placeholders();
    if (placeholders.size() != signature.inputs.size())
        throw Malformed("describes " + count_text(signature.inputs.size(), "input") + "; the graph has " +
                        std::to_string(placeholders.size()));
    for (std::size_t i = 0; i < placeholders.size(); ++i) {
        const std::string& name = graph.node(placeholders[i]).name;
        InputSpec& spec = signature.inputs[i];
        const bool may_be_nameless = spec.kind == InputSpec::Kind::constant || spec.placeholder.empty();
        if (spec.placeholder != name && !may_be_nameless)
            throw Malformed("input " + std::to_string(i),
                            "is '" + spec.placeholder + "', but the graph's is '" + name + "'");
        spec.placeholder = name;
    }

    const Argument& returned = graph.node(graph.output()).args.front();
    const auto* results = returned.as<ArgumentList>();
    const std::size_t count = results ? results->items.size() : 1;
    if (count != signature.outputs.size())
        throw Malformed("describes " + count_text(signature.outputs.size(), "output") + "; the graph has " +
                        std::to_string(count));
    for (std::size_t i = 0; i < count; ++i) {
        const NodeId node = (results ? results->items[i] : returned).node();
        if (node != no_node && graph.node(node).name != signature.outputs[i].value)
            throw Malformed("output " + std::to_string(i), "is '" + signature.outputs[i].value +
                                                               "', but the graph's is '" + graph.node(node).name + "'");
    }
}

std::vector<SymbolRange> read_ranges(Json& constraints) {
    std::vector<SymbolRange> ranges;
    for (auto& [symbol, range] : constraints.members())
        ranges.push_back({symbol, bound(range, "min_val"), bound(range, "max_val")});
    return ranges;
}

std::vector<ModuleCall> read_module_calls(Json& calls) {
    return read_list(calls, "module call", [](Json& entry) {
        ModuleCall call;
        call.module = entry.at("fqn").text();
        if (Json* signature = entry.find("signature")) {
            for (Json& input : signature->at("inputs").items()) call.inputs.push_back(argument_text(input));
            for (Json& output : signature->at("outputs").items()) call.outputs.push_back(argument_text(output));
        }
        return call;
    });
}

} // namespace inspector::pt2
