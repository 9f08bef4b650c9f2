#include "core/formats/session_document/argument_json.h"

#include <cmath>
#include <limits>

#include "core/formats/session_document/names.h"
#include "core/formats/session_document/value_meta_json.h"

namespace inspector::session_document {
namespace {

constexpr Names<MemoryFormat, 4> memory_formats{{
    {MemoryFormat::contiguous, "contiguous"},
    {MemoryFormat::channels_last, "channels_last"},
    {MemoryFormat::channels_last_3d, "channels_last_3d"},
    {MemoryFormat::preserve, "preserve"},
}};

/// A number as JSON has them; what it has not, by name.
Json real_json(double value) {
    if (std::isfinite(value)) return value;
    return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

double read_real(const Json& json) {
    if (json.is_number()) return json.get<double>();
    const std::string& name = text(json);
    if (name == "nan") return std::numeric_limits<double>::quiet_NaN();
    if (name == "inf") return std::numeric_limits<double>::infinity();
    if (name == "-inf") return -std::numeric_limits<double>::infinity();
    throw Malformed{&json, "no number is named \"" + name + '"'};
}

class Writer {
public:
    explicit Writer(const Graph& graph) : graph_(graph) {}

    Json operator()(const Argument& argument) const { return std::visit(*this, argument.value); }

    Json operator()(None) const { return nullptr; }
    Json operator()(NodeReference reference) const { return {{"node", graph_.node(reference.node).name}}; }
    Json operator()(bool value) const { return value; }
    Json operator()(std::int64_t value) const { return value; }
    Json operator()(double value) const { return std::isfinite(value) ? Json(value) : Json{{"float", real_json(value)}}; }
    Json operator()(std::complex<double> value) const {
        return {{"complex", Json::array({real_json(value.real()), real_json(value.imag())})}};
    }
    Json operator()(const std::string& value) const { return value; }
    Json operator()(DType value) const { return {{"dtype", short_name(value)}}; }
    Json operator()(const DeviceName& value) const { return {{"device", value.text}}; }
    Json operator()(Layout value) const { return {{"layout", layout_name(value)}}; }
    Json operator()(MemoryFormat value) const { return {{"memory_format", name_of(memory_formats, value)}}; }
    Json operator()(const SymbolicSize& value) const { return {{"size", size_json(value)}}; }
    Json operator()(const OpaqueText& value) const { return {{"text", value.text}}; }
    Json operator()(const ArgumentList& value) const {
        Json items = Json::array();
        for (const Argument& item : value.items) items.push_back((*this)(item));
        switch (value.kind) {
        case ArgumentList::Kind::list: break;
        case ArgumentList::Kind::tuple: return {{"tuple", std::move(items)}};
        case ArgumentList::Kind::slice: return {{"slice", std::move(items)}};
        }
        return items;
    }
    Json operator()(const ArgumentDict& value) const {
        Json items = Json::array();
        for (const auto& [key, item] : value.items) items.push_back(Json::array({key, (*this)(item)}));
        return {{"dict", std::move(items)}};
    }

private:
    const Graph& graph_;
};

std::vector<Argument> read_items(const Graph& graph, const Json& json, std::uint32_t depth) {
    std::vector<Argument> items;
    for (const Json& item : list(json)) items.push_back(read_argument(graph, item, depth));
    return items;
}

NodeReference read_reference(const Graph& graph, const Json& json) {
    const NodeId node = graph.find(text(json));
    if (node == no_node) throw Malformed{&json, "no node named \"" + text(json) + "\" stands before"};
    return {node};
}

std::complex<double> read_complex(const Json& json) {
    if (list(json).size() != 2) throw Malformed{&json, "a complex number has two parts"};
    return {read_real(json[0]), read_real(json[1])};
}

ArgumentDict read_dict(const Graph& graph, const Json& json, std::uint32_t depth) {
    ArgumentDict dict;
    for (const Json& item : list(json)) {
        if (list(item).size() != 2) throw Malformed{&item, "an entry has a key and a value"};
        dict.items.emplace_back(text(item[0]), read_argument(graph, item[1], depth));
    }
    return dict;
}

} // namespace

Json argument_json(const Graph& graph, const Argument& argument) { return Writer(graph)(argument); }

Argument read_argument(const Graph& graph, const Json& json, std::uint32_t depth) {
    if (json.is_null()) return None{};
    if (json.is_boolean()) return boolean(json);
    if (json.is_number_integer()) return integer(json);
    if (json.is_number()) return json.get<double>();
    if (json.is_string()) return text(json);
    if (depth == 0) throw Malformed{&json, "arguments are nested too deeply"};
    if (json.is_array()) return ArgumentList{ArgumentList::Kind::list, read_items(graph, json, depth - 1)};
    const auto& [kind, content] = alternative(json);
    if (kind == "node") return read_reference(graph, content);
    if (kind == "tuple") return ArgumentList{ArgumentList::Kind::tuple, read_items(graph, content, depth - 1)};
    if (kind == "slice") return ArgumentList{ArgumentList::Kind::slice, read_items(graph, content, depth - 1)};
    if (kind == "dict") return read_dict(graph, content, depth - 1);
    if (kind == "float") return read_real(content);
    if (kind == "complex") return read_complex(content);
    if (kind == "dtype") return read_dtype(content);
    if (kind == "device") return DeviceName{text(content)};
    if (kind == "layout") return read_layout(content);
    if (kind == "memory_format") return value_of(memory_formats, content, "memory format");
    if (kind == "size") return read_size(content);
    if (kind == "text") return OpaqueText{text(content)};
    throw Malformed{&json, "no kind of argument is named \"" + kind + '"'};
}

} // namespace inspector::session_document
