#include "core/formats/torchscript/script_type.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace inspector::torchscript {
namespace {

constexpr std::array<std::pair<std::string_view, DType>, 22> element_types{{
    {"Byte", DType::u8}, {"Char", DType::i8}, {"Short", DType::i16}, {"Int", DType::i32}, {"Long", DType::i64},
    {"Half", DType::f16}, {"Float", DType::f32}, {"Double", DType::f64}, {"ComplexHalf", DType::c32},
    {"ComplexFloat", DType::c64}, {"ComplexDouble", DType::c128}, {"Bool", DType::b8}, {"BFloat16", DType::bf16},
    {"UInt16", DType::u16}, {"UInt32", DType::u32}, {"UInt64", DType::u64}, {"Float8_e5m2", DType::f8e5m2},
    {"Float8_e4m3fn", DType::f8e4m3fn}, {"Float8_e5m2fnuz", DType::f8e5m2fnuz}, {"Float8_e4m3fnuz", DType::f8e4m3fnuz},
    {"Float8_e8m0fnu", DType::f8e8m0fnu}, {"QInt8", DType::qint8},
}};

/// Name and parenthesis of a tensor type: "Float" and "4, 8, device=cpu".
struct TensorType {
    std::string_view element; ///< empty for "Tensor"
    std::optional<std::string_view> details;
};

std::optional<TensorType> split(std::string_view type) {
    TensorType result;
    std::string_view name = type.substr(0, type.find('('));
    if (name.size() != type.size()) {
        if (!type.ends_with(')')) return std::nullopt;
        result.details = type.substr(name.size() + 1, type.size() - name.size() - 2);
    }
    if (name == "Tensor") return result;
    if (const auto plain = without_ending(name, "Tensor")) name = *plain;
    const auto known = std::ranges::find(element_types, name, &std::pair<std::string_view, DType>::first);
    if (known == element_types.end()) return std::nullopt;
    // "Float" alone, without sizes, is never printed; "Int" and "Bool" would be mistaken for numbers.
    result.element = known->first;
    return result;
}

std::string_view trimmed(std::string_view text) {
    while (text.starts_with(' ')) text.remove_prefix(1);
    while (text.ends_with(' ')) text.remove_suffix(1);
    return text;
}

/// Parts between commas that stand in no brackets.
std::vector<std::string_view> parts(std::string_view text) {
    std::vector<std::string_view> result;
    std::size_t start = 0;
    int depth = 0;
    for (std::size_t i = 0; i <= text.size(); ++i) {
        if (i < text.size() && (text[i] == '(' || text[i] == '[')) ++depth;
        if (i < text.size() && (text[i] == ')' || text[i] == ']')) --depth;
        if (i < text.size() && (text[i] != ',' || depth > 0)) continue;
        if (const auto part = trimmed(text.substr(start, i - start)); !part.empty()) result.push_back(part);
        start = i + 1;
    }
    return result;
}

std::optional<std::int64_t> integer(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    return problem == std::errc{} && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

std::optional<std::vector<SymbolicSize>> sizes(const std::vector<std::string_view>& texts) {
    std::vector<SymbolicSize> result;
    for (const std::string_view text : texts) {
        const auto value = integer(text);
        if (!value || *value < 0) return std::nullopt;
        result.emplace_back(*value);
    }
    return result;
}

/// No product of sizes, or of sizes and strides, may leave int64.
bool is_sensible(const TensorMeta& meta) {
    std::int64_t elements = element_size(meta.dtype);
    for (const SymbolicSize& size : meta.sizes)
        if (__builtin_mul_overflow(elements, std::max<std::int64_t>(*size.constant(), 1), &elements)) return false;
    std::int64_t last = 0;
    for (std::size_t i = 0; meta.strides && i < meta.sizes.size(); ++i) {
        std::int64_t step = 0;
        if (__builtin_mul_overflow(*meta.sizes[i].constant(), *(*meta.strides)[i].constant(), &step) ||
            __builtin_add_overflow(last, step, &last))
            return false;
    }
    return !__builtin_mul_overflow(last, element_size(meta.dtype), &last);
}

} // namespace

std::optional<std::string_view> without_ending(std::string_view type, std::string_view ending) {
    if (!type.ends_with(ending) || type.size() == ending.size()) return std::nullopt;
    return type.substr(0, type.size() - ending.size());
}

bool is_tensor_type(std::string_view type) { return split(type).has_value(); }

bool is_class_type(std::string_view type) { return type.starts_with("__torch__."); }

std::optional<TensorMeta> tensor_meta(std::string_view type) {
    const auto tensor = split(type);
    if (!tensor || tensor->element.empty() || !tensor->details || without_ending(type.substr(0, type.find('(')), "Tensor"))
        return std::nullopt;
    TensorMeta meta;
    meta.dtype = std::ranges::find(element_types, tensor->element, &std::pair<std::string_view, DType>::first)->second;
    std::vector<std::string_view> dimensions;
    for (const std::string_view part : parts(*tensor->details)) {
        if (part.starts_with("strides=[") && part.ends_with(']')) {
            meta.strides = sizes(parts(part.substr(9, part.size() - 10)));
            if (!meta.strides) return std::nullopt;
        } else if (part.starts_with("requires_grad=")) meta.requires_grad = part.ends_with('1');
        else if (part.starts_with("device=")) meta.device = std::string(part.substr(7));
        else dimensions.push_back(part);
    }
    auto known = sizes(dimensions);
    if (!known || (meta.strides && meta.strides->size() != known->size())) return std::nullopt;
    meta.sizes = std::move(*known);
    return is_sensible(meta) ? std::optional(meta) : std::nullopt;
}

ValueMeta value_meta(std::string_view type) {
    if (auto meta = tensor_meta(type)) return *std::move(meta);
    if (type == "NoneType") return NoneMeta{};
    return UnknownMeta{};
}

bool accepts(std::string_view formal, std::string_view actual) {
    if (formal == actual || formal == "Any") return true;
    if (const auto inner = without_ending(formal, "?"))
        return actual == "NoneType" || accepts(*inner, without_ending(actual, "?").value_or(actual));
    if (formal.ends_with(']') && !actual.ends_with(']')) {
        // "int[2]" also takes one int, for all.
        const auto open = formal.rfind('[');
        return open + 2 < formal.size() && accepts(formal.substr(0, open), actual);
    }
    if (formal.ends_with(']')) {
        const auto of = formal.substr(0, formal.rfind('[')), given = actual.substr(0, actual.rfind('['));
        return of == "t" || accepts(of, given) || (is_tensor_type(given) && accepts(of, "Tensor"));
    }
    if (formal == "Tensor") return is_tensor_type(actual);
    if (formal == "Scalar" || formal == "number")
        return actual == "int" || actual == "float" || actual == "bool" || actual == "complex" || actual == "Scalar" ||
               actual == "number";
    if (formal == "SymInt" || formal == "ScalarType" || formal == "Layout" || formal == "MemoryFormat") return actual == "int";
    return formal == "t";
}

} // namespace inspector::torchscript
