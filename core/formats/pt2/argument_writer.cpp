#include "core/formats/pt2/argument_writer.h"

#include <algorithm>
#include <cmath>

#include "core/formats/pt2/value_meta_writer.h"
#include "core/graph/python_repr.h"
#include "core/operators/operator_table.h"

namespace inspector::pt2 {
namespace {

Json member(std::string_view key, Json value) { return {Json::Object{{std::string(key), std::move(value)}}}; }

Json real(double value) {
    if (std::isnan(value)) return {std::string("NaN")};
    if (std::isinf(value)) return {std::string(value < 0 ? "-Infinity" : "Infinity")};
    return {JsonNumber{value, python_repr(value)}};
}

/// What a list or a single argument is of, which decides the member of the union.
enum class Kind {
    none,
    tensor,
    integer,
    symbolic_integer,
    real,
    symbolic_real,
    boolean,
    symbolic_boolean,
    text,
    other
};

Kind kind_of(const Graph& graph, const Argument& argument) {
    if (argument.as<None>()) return Kind::none;
    if (argument.as<std::int64_t>()) return Kind::integer;
    if (argument.as<bool>()) return Kind::boolean;
    if (argument.as<double>()) return Kind::real;
    if (argument.as<std::string>()) return Kind::text;
    const NodeId node = argument.node();
    if (node == no_node || graph.node(node).opcode == Opcode::get_attr) return Kind::other;
    const auto* scalar = std::get_if<ScalarMeta>(&graph.node(node).meta);
    if (!scalar) return Kind::tensor;
    switch (scalar->kind) {
    case ScalarMeta::Kind::integer: return Kind::symbolic_integer;
    case ScalarMeta::Kind::floating: return Kind::symbolic_real;
    case ScalarMeta::Kind::boolean: return Kind::symbolic_boolean;
    }
    return Kind::other;
}

class ArgumentWriter {
public:
    ArgumentWriter(const Graph& graph, const std::function<Json(const Node&)>& nested)
        : graph_(graph), nested_(nested) {}

    Json write(const Argument& argument, std::string_view type) const {
        if (const auto* list = argument.as<ArgumentList>()) return write_list(*list, type);
        switch (kind_of(graph_, argument)) {
        case Kind::none: return member("as_none", {true});
        case Kind::integer: return member("as_int", plain(argument));
        case Kind::boolean: return member("as_bool", plain(argument));
        case Kind::real: return member("as_float", plain(argument));
        case Kind::text: return member("as_string", plain(argument));
        case Kind::tensor: return member("as_tensor", tensor(argument));
        case Kind::symbolic_integer: return member("as_sym_int", symbolic(argument, "as_int"));
        case Kind::symbolic_real: return member("as_sym_float", symbolic(argument, "as_float"));
        case Kind::symbolic_boolean: return member("as_sym_bool", symbolic(argument, "as_bool"));
        case Kind::other: break;
        }
        if (const auto* value = argument.as<NodeReference>())
            return member("as_graph", nested_(graph_.node(value->node)));
        if (const auto* value = argument.as<DType>()) return member("as_scalar_type", {number_of(*value)});
        if (const auto* value = argument.as<Layout>()) return member("as_layout", {number_of(*value)});
        if (const auto* value = argument.as<MemoryFormat>()) return member("as_memory_format", {number_of(*value)});
        if (const auto* value = argument.as<DeviceName>()) return member("as_device", device_json(value->text));
        if (const auto* value = argument.as<std::complex<double>>())
            return member("as_complex", {Json::Object{{"real", real(value->real())}, {"imag", real(value->imag())}}});
        if (const auto* value = argument.as<SymbolicSize>())
            if (const auto constant = value->constant()) return member("as_int", {*constant});
        if (const auto* value = argument.as<ArgumentDict>()) {
            Json::Object dict;
            for (const auto& [key, item] : value->items) dict.push_back({key, write(item, "")});
            return member("as_string_to_argument", {std::move(dict)});
        }
        if (const auto* value = argument.as<OpaqueText>())
            if (OperatorTable::instance().find(value->text)) return member("as_operator", {"torch.ops." + value->text});
        throw Malformed("this kind of argument cannot be written");
    }

private:
    /// A constant's JSON.
    static Json plain(const Argument& argument) {
        if (const auto* value = argument.as<std::int64_t>()) return {*value};
        if (const auto* value = argument.as<bool>()) return {*value};
        if (const auto* value = argument.as<double>()) return real(*value);
        return {*argument.as<std::string>()};
    }
    Json tensor(const Argument& argument) const { return member("name", {graph_.node(argument.node()).name}); }
    Json symbolic(const Argument& argument, std::string_view constant) const {
        return argument.node() != no_node ? member("as_name", {graph_.node(argument.node()).name})
                                          : member(constant, plain(argument));
    }
    Json optional_tensor(const Argument& argument) const {
        return argument.as<None>() ? member("as_none", {true}) : member("as_tensor", tensor(argument));
    }

    template <typename Write> Json items(std::string_view key, const ArgumentList& list, Write&& write_item) const {
        Json::Array result;
        for (const Argument& item : list.items) result.push_back(write_item(item));
        return member(key, {std::move(result)});
    }

    /// The order of the questions is GraphModuleSerializer.serialize_input's.
    Json write_list(const ArgumentList& list, std::string_view type) const {
        const auto all = [&](auto... kinds) {
            return std::all_of(list.items.begin(), list.items.end(),
                               [&](const Argument& item) { return ((kind_of(graph_, item) == kinds) || ...); });
        };
        if (list.items.empty()) {
            if (type.starts_with("bool")) return member("as_bools", {Json::Array{}});
            if (type.starts_with("int") || type.starts_with("SymInt")) return member("as_ints", {Json::Array{}});
            if (type.starts_with("float")) return member("as_floats", {Json::Array{}});
            if (type.starts_with("str")) return member("as_strings", {Json::Array{}});
            return member("as_tensors", {Json::Array{}});
        }
        if (all(Kind::boolean)) return items("as_bools", list, plain);
        if (all(Kind::integer)) return items("as_ints", list, plain);
        if (all(Kind::real)) return items("as_floats", list, plain);
        if (all(Kind::text)) return items("as_strings", list, plain);
        if (all(Kind::integer, Kind::symbolic_integer))
            return items("as_sym_ints", list, [&](const Argument& item) { return symbolic(item, "as_int"); });
        if (all(Kind::real, Kind::symbolic_real))
            return items("as_sym_floats", list, [&](const Argument& item) { return symbolic(item, "as_float"); });
        if (all(Kind::boolean, Kind::symbolic_boolean))
            return items("as_sym_bools", list, [&](const Argument& item) { return symbolic(item, "as_bool"); });
        if (all(Kind::tensor)) return items("as_tensors", list, [&](const Argument& item) { return tensor(item); });
        if (all(Kind::tensor, Kind::none))
            return items("as_optional_tensors", list, [&](const Argument& item) { return optional_tensor(item); });
        return write_nested_list(list);
    }

    Json write_nested_list(const ArgumentList& list) const {
        // One member holds the lists, named by what they are of; tensors and floats may be, integers in tuples.
        Json::Array result;
        std::string name;
        for (const Argument& item : list.items) {
            const auto* inner = item.as<ArgumentList>();
            if (!inner) throw Malformed("this kind of list cannot be written");
            JsonMember written = write_list(*inner, "").alternative();
            if (!name.empty() && written.key != name) throw Malformed("this kind of list cannot be written");
            name = written.key;
            result.push_back(std::move(written.value));
        }
        if (name == "as_tensors") return member("as_nested_tensors", {std::move(result)});
        if (name == "as_ints") return member("as_int_lists", {std::move(result)});
        if (name == "as_floats") return member("as_float_lists", {std::move(result)});
        throw Malformed("this kind of list cannot be written");
    }

    const Graph& graph_;
    const std::function<Json(const Node&)>& nested_;
};

} // namespace

Json argument_json(const Graph& graph, const Argument& argument, std::string_view schema_type,
                   const std::function<Json(const Node&)>& nested) {
    return ArgumentWriter(graph, nested).write(argument, schema_type);
}

std::string serialized_target(std::string target) {
    if (target.starts_with("operator.")) target.insert(0, 1, '_');
    return target;
}

} // namespace inspector::pt2
