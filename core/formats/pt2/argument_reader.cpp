#include "core/formats/pt2/argument_reader.h"

#include "core/formats/pt2/value_meta_reader.h"

namespace inspector::pt2 {
namespace {

/// Python's integers have no limit; one beyond int64 (a 64-bit mask) is kept as its digits.
Argument integer(Json& json) {
    if (const auto* number = std::get_if<JsonNumber>(&json.value))
        if (number->text.find_first_of(".eE") == std::string::npos) return OpaqueText{number->text};
    return json.integer();
}

template <typename Read> Argument list(Json& items, Read&& read, ArgumentList::Kind kind = ArgumentList::Kind::list) {
    ArgumentList result;
    result.kind = kind;
    result.items.reserve(items.items().size());
    for (Json& item : items.items()) result.items.push_back(read(item));
    return result;
}

/// SymIntArgument, SymFloatArgument, SymBoolArgument: the name of a value, or a constant.
Argument symbolic(Json& json, const ArgumentContext& context) {
    auto& [form, content] = json.alternative();
    if (form == "as_name") return NodeReference{context.value(content.text())};
    if (form == "as_int") return integer(content);
    if (form == "as_float") return content.real();
    if (form == "as_bool") return content.boolean();
    throw Malformed("'" + form + "' is no symbolic argument");
}

/// An operator as a value prints as str(op): "aten.add.Tensor", "cond".
OpaqueText operator_value(std::string_view target) {
    for (std::string_view prefix : {"torch.ops.higher_order.", "torch.ops."})
        if (target.starts_with(prefix)) return {std::string(target.substr(prefix.size()))};
    return {std::string(target)};
}

} // namespace

Argument read_argument(Json& argument, const ArgumentContext& context) {
    auto& [kind, content] = argument.alternative();
    const auto tensor = [&](Json& json) -> Argument { return NodeReference{context.value(json.at("name").text())}; };
    const auto optional_tensor = [&](Json& json) -> Argument {
        auto& [form, value] = json.alternative();
        if (form == "as_none") return None{};
        if (form == "as_tensor") return tensor(value);
        throw Malformed("'" + form + "' is no optional tensor");
    };
    const auto symbol = [&](Json& json) { return symbolic(json, context); };
    const auto real = [](Json& json) -> Argument { return json.real(); };
    const auto boolean = [](Json& json) -> Argument { return json.boolean(); };
    const auto text = [](Json& json) -> Argument { return std::move(json.text()); };

    if (kind == "as_tensor") return tensor(content);
    if (kind == "as_int") return integer(content);
    if (kind == "as_ints") return list(content, integer);
    if (kind == "as_none") return None{};
    if (kind == "as_bool") return content.boolean();
    if (kind == "as_float") return content.real();
    if (kind == "as_string") return text(content);
    if (kind == "as_tensors") return list(content, tensor);
    if (kind == "as_sym_int" || kind == "as_sym_float" || kind == "as_sym_bool") return symbol(content);
    if (kind == "as_sym_ints" || kind == "as_sym_floats" || kind == "as_sym_bools") return list(content, symbol);
    if (kind == "as_scalar_type") return dtype_of(content.integer());
    if (kind == "as_memory_format") return memory_format_of(content.integer());
    if (kind == "as_layout") return layout_of(content.integer());
    if (kind == "as_device") return DeviceName{device_of(content)};
    if (kind == "as_optional_tensor") return optional_tensor(content);
    if (kind == "as_optional_tensors") return list(content, optional_tensor);
    if (kind == "as_floats") return list(content, real);
    if (kind == "as_bools") return list(content, boolean);
    if (kind == "as_strings") return list(content, text);
    if (kind == "as_graph") return NodeReference{context.graph(content)};
    if (kind == "as_operator") return operator_value(content.text());
    if (kind == "as_complex") return std::complex<double>(content.at("real").real(), content.at("imag").real());
    if (kind == "as_nested_tensors") return list(content, [&](Json& inner) { return list(inner, tensor); });
    if (kind == "as_float_lists") return list(content, [&](Json& inner) { return list(inner, real); });
    // Lists of integers are made from tuples alone (the grids of Triton kernels).
    if (kind == "as_int_lists")
        return list(content, [](Json& inner) { return list(inner, integer, ArgumentList::Kind::tuple); });
    if (kind == "as_custom_obj") {
        const std::string& name = content.at("name").text();
        // Lifted to an input, else one of the archive's constants.
        if (const NodeId lifted = context.value_if_defined(name); lifted != no_node) return NodeReference{lifted};
        return OpaqueText{name};
    }
    if (kind == "as_string_to_argument") {
        ArgumentDict dict;
        for (auto& [key, value] : content.members())
            dict.items.emplace_back(std::move(key), read_argument(value, context));
        return dict;
    }
    throw Malformed("'" + kind + "' is an unknown kind of argument");
}

std::string printed_target(std::string target) {
    if (target.starts_with("_operator.")) target.erase(0, 1);
    return target;
}

} // namespace inspector::pt2
