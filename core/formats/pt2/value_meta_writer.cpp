#include "core/formats/pt2/value_meta_writer.h"

#include <charconv>

#include "core/formats/pt2/value_meta_reader.h"
#include "core/graph/symbolic_arithmetic.h"
#include "core/graph/symbolic_size_srepr.h"

namespace inspector::pt2 {
namespace {

/// The number that `read` maps to `value`.
template <typename T>
std::int64_t inverse(T (*read)(std::int64_t), T value, std::int64_t limit, std::string_view what) {
    for (std::int64_t number = 1; number <= limit; ++number) {
        try {
            if (read(number) == value) return number;
        } catch (const Malformed&) {
            // A number without meaning.
        }
    }
    throw Malformed("a .pt2 file cannot name this " + std::string(what));
}

std::vector<SymbolicSize> strides_of(const TensorMeta& meta) {
    if (meta.strides) return *meta.strides;
    auto strides = contiguous_strides(meta.sizes);
    if (!strides) throw Malformed("the strides are unknown, and sizes are symbolic or too large");
    return std::move(*strides);
}

} // namespace

std::int64_t number_of(DType dtype) { return inverse(dtype_of, dtype, 35, "dtype"); }
std::int64_t number_of(Layout layout) { return inverse(layout_of, layout, 7, "layout"); }
std::int64_t number_of(MemoryFormat format) { return inverse(memory_format_of, format, 4, "memory format"); }

Json device_json(std::string_view device) {
    const auto colon = device.find(':');
    Json index;
    if (colon != std::string_view::npos) {
        std::int64_t number = 0;
        const auto [end, error] = std::from_chars(device.data() + colon + 1, device.data() + device.size(), number);
        if (error != std::errc{} || end != device.data() + device.size())
            throw Malformed("'" + std::string(device) + "' is no device");
        index.value = number;
    }
    return {Json::Object{{"type", {std::string(device.substr(0, colon))}}, {"index", std::move(index)}}};
}

void ValueMetaWriter::learn(Json& graph) {
    if (auto* items = std::get_if<Json::Array>(&graph.value))
        for (Json& item : *items) learn(item);
    auto* members = std::get_if<Json::Object>(&graph.value);
    if (!members) return;
    for (auto& [key, value] : *members) {
        if (key != "as_expr") {
            learn(value);
            continue;
        }
        const std::string& text = value.at("expr_str").text();
        if (const auto parsed = SymbolicSize::parse_srepr(text, std::nullopt))
            expressions_.try_emplace(parsed->to_string(), value);
        constexpr std::string_view symbol = "Symbol('";
        for (auto start = text.find(symbol); start != std::string::npos; start = text.find(symbol, start + 1)) {
            const auto name = start + symbol.size();
            const auto quote = text.find('\'', name);
            const auto end = text.find(')', name);
            if (quote == std::string::npos || end == std::string::npos) break;
            symbols_.try_emplace(text.substr(name, quote - name), text.substr(start, end + 1 - start));
        }
    }
}

Json ValueMetaWriter::tensor(const TensorMeta& meta) const {
    const auto list = [&](const std::vector<SymbolicSize>& sizes) {
        Json::Array items;
        for (const SymbolicSize& each : sizes) items.push_back(size(each));
        return Json{std::move(items)};
    };
    return {Json::Object{{"dtype", {number_of(meta.dtype)}},
                         {"sizes", list(meta.sizes)},
                         {"requires_grad", {meta.requires_grad.value_or(false)}},
                         {"device", device_json(meta.device.value_or("cpu"))},
                         {"strides", list(strides_of(meta))},
                         {"storage_offset", size(meta.storage_offset.value_or(0))},
                         {"layout", {number_of(meta.layout)}}}};
}

Json ValueMetaWriter::scalar(const ScalarMeta& meta) const {
    const auto constant = meta.value.constant();
    if (constant && meta.kind == ScalarMeta::Kind::boolean) return {Json::Object{{"as_bool", {*constant != 0}}}};
    return size(meta.value);
}

Json ValueMetaWriter::size(const SymbolicSize& size) const {
    if (const auto constant = size.constant()) return {Json::Object{{"as_int", {*constant}}}};
    if (const auto known = expressions_.find(size.to_string()); known != expressions_.end())
        return {Json::Object{{"as_expr", known->second}}};
    Json hint;
    if (const auto sample = size.hint()) hint.value = Json::Object{{"as_int", {*sample}}};
    return {Json::Object{
        {"as_expr", {Json::Object{{"expr_str", {text(size)}}, {"hint", std::move(hint)}}}}}};
}

std::string ValueMetaWriter::text(const SymbolicSize& size) const {
    const auto text = srepr(*size.expression(), [&](const std::string& name) {
        const auto known = symbols_.find(name);
        if (known == symbols_.end()) throw Malformed("the symbol " + name + " is not in the file");
        return known->second;
    });
    if (!text) throw Malformed("the expression " + size.to_string() + " cannot be written");
    return *text;
}

} // namespace inspector::pt2
