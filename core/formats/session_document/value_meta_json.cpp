#include "core/formats/session_document/value_meta_json.h"

#include "core/formats/session_document/names.h"

namespace inspector::session_document {
namespace {

constexpr Names<Layout, 8> layouts{{
    {Layout::strided, "strided"},
    {Layout::sparse_coo, "sparse_coo"},
    {Layout::sparse_csr, "sparse_csr"},
    {Layout::sparse_csc, "sparse_csc"},
    {Layout::sparse_bsr, "sparse_bsr"},
    {Layout::sparse_bsc, "sparse_bsc"},
    {Layout::mkldnn, "mkldnn"},
    {Layout::jagged, "jagged"},
}};

constexpr Names<ScalarMeta::Kind, 3> scalars{{
    {ScalarMeta::Kind::integer, "integer"},
    {ScalarMeta::Kind::floating, "floating"},
    {ScalarMeta::Kind::boolean, "boolean"},
}};

Json sizes_json(const std::vector<SymbolicSize>& sizes) {
    Json json = Json::array();
    for (const SymbolicSize& size : sizes) json.push_back(size_json(size));
    return json;
}

std::vector<SymbolicSize> read_sizes(const Json& json) {
    std::vector<SymbolicSize> sizes;
    for (const Json& size : list(json)) sizes.push_back(read_size(size));
    return sizes;
}

Json list_json(const ListMeta& meta) {
    Json items = Json::array();
    for (const auto& item : meta.items) items.push_back(item ? tensor_json(*item) : Json());
    Json json{{"items", std::move(items)}};
    if (!meta.names.empty()) json["names"] = meta.names;
    return json;
}

ListMeta read_list(const Json& json) {
    ListMeta meta;
    for (const Json& item : list(member(json, "items"))) {
        if (item.is_null()) meta.items.emplace_back();
        else meta.items.emplace_back(read_tensor(item));
    }
    if (const Json* names = find(json, "names"))
        for (const Json& name : list(*names)) meta.names.push_back(text(name));
    return meta;
}

Json scalar_json(const ScalarMeta& meta) {
    Json json{{"kind", name_of(scalars, meta.kind)}, {"value", size_json(meta.value)}};
    if (meta.is_python_number) json["python"] = true;
    return json;
}

ScalarMeta read_scalar(const Json& json) {
    const Json* python = find(json, "python");
    return {value_of(scalars, member(json, "kind"), "kind of number"), read_size(member(json, "value")),
            python && boolean(*python)};
}

} // namespace

Json size_json(const SymbolicSize& size) {
    if (const auto constant = size.constant()) return *constant;
    Json json{{"symbolic", size.to_string()}};
    if (const auto hint = size.hint()) json["hint"] = *hint;
    return json;
}

SymbolicSize read_size(const Json& json) {
    if (!json.is_object()) return integer(json);
    const Json& printed = member(json, "symbolic");
    auto size = SymbolicSize::parse(text(printed));
    if (!size) throw Malformed{&printed, "no expression over sizes: " + size.error().message()};
    const Json* hint = find(json, "hint");
    return size->with_hint(hint ? std::optional(integer(*hint)) : std::nullopt);
}

std::string_view layout_name(Layout layout) { return name_of(layouts, layout); }
Layout read_layout(const Json& json) { return value_of(layouts, json, "layout"); }

DType read_dtype(const Json& json) {
    const auto dtype = dtype_from_short_name(text(json));
    if (!dtype) throw Malformed{&json, "no type of elements is named \"" + text(json) + '"'};
    return *dtype;
}

Json tensor_json(const TensorMeta& meta) {
    Json json{{"dtype", short_name(meta.dtype)}, {"sizes", sizes_json(meta.sizes)}};
    if (meta.strides) json["strides"] = sizes_json(*meta.strides);
    if (meta.storage_offset) json["offset"] = size_json(*meta.storage_offset);
    if (meta.device) json["device"] = *meta.device;
    if (meta.layout != Layout::strided) json["layout"] = layout_name(meta.layout);
    if (meta.requires_grad) json["requires_grad"] = *meta.requires_grad;
    put_text(json, "class", meta.class_name);
    put_text(json, "class_detail", meta.class_detail);
    return json;
}

TensorMeta read_tensor(const Json& json) {
    TensorMeta meta;
    meta.dtype = read_dtype(member(json, "dtype"));
    meta.sizes = read_sizes(member(json, "sizes"));
    if (const Json* strides = find(json, "strides")) {
        meta.strides = read_sizes(*strides);
        if (meta.strides->size() != meta.sizes.size())
            throw Malformed{strides, std::to_string(meta.strides->size()) + " strides do not fit " +
                                         std::to_string(meta.sizes.size()) + " sizes"};
    }
    if (const Json* offset = find(json, "offset")) meta.storage_offset = read_size(*offset);
    if (const Json* device = find(json, "device")) meta.device = text(*device);
    if (const Json* layout = find(json, "layout")) meta.layout = read_layout(*layout);
    if (const Json* requires_grad = find(json, "requires_grad")) meta.requires_grad = boolean(*requires_grad);
    meta.class_name = text_or_empty(json, "class");
    meta.class_detail = text_or_empty(json, "class_detail");
    return meta;
}

Json value_meta_json(const ValueMeta& meta) {
    if (std::holds_alternative<NoneMeta>(meta)) return "none";
    if (const auto* tensor = std::get_if<TensorMeta>(&meta)) return {{"tensor", tensor_json(*tensor)}};
    if (const auto* scalar = std::get_if<ScalarMeta>(&meta)) return {{"scalar", scalar_json(*scalar)}};
    if (const auto* items = std::get_if<ListMeta>(&meta)) return {{"list", list_json(*items)}};
    return nullptr;
}

ValueMeta read_value_meta(const Json& json) {
    if (json.is_null()) return UnknownMeta{};
    if (json.is_string() && text(json) == "none") return NoneMeta{};
    const auto& [kind, content] = alternative(json);
    if (kind == "tensor") return read_tensor(content);
    if (kind == "scalar") return read_scalar(content);
    if (kind == "list") return read_list(content);
    throw Malformed{&json, "no kind of value is named \"" + kind + '"'};
}

} // namespace inspector::session_document
