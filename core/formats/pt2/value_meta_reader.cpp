#include "core/formats/pt2/value_meta_reader.h"

#include <algorithm>

namespace inspector::pt2 {
namespace {

/// A product or sum that int64 cannot hold.
[[noreturn]] void absurd() { throw Malformed("the tensor is larger than 2^63 bytes"); }

std::int64_t multiply(std::int64_t a, std::int64_t b) {
    std::int64_t product = 0;
    if (__builtin_mul_overflow(a, b, &product)) absurd();
    return product;
}

std::int64_t add(std::int64_t a, std::int64_t b) {
    std::int64_t sum = 0;
    if (__builtin_add_overflow(a, b, &sum)) absurd();
    return sum;
}

/// A float stands where symbolic_size.h has integers alone: kept as text, never evaluated.
SymbolicSize floating_constant(Json& value) {
    std::string text;
    if (const auto* number = std::get_if<JsonNumber>(&value.value)) text = number->text;
    else if (const auto* integer = std::get_if<std::int64_t>(&value.value)) text = std::to_string(*integer) + ".0";
    else text = value.text();
    SizeExpression expression;
    expression.kind = SizeExpression::Kind::opaque;
    expression.text = text;
    return {std::make_shared<const SizeExpression>(std::move(expression)), std::move(text), std::nullopt};
}

} // namespace

DType dtype_of(std::int64_t number) {
    switch (number) {
    case 1: return DType::u8;
    case 2: return DType::i8;
    case 3: return DType::i16;
    case 4: return DType::i32;
    case 5: return DType::i64;
    case 6: return DType::f16;
    case 7: return DType::f32;
    case 8: return DType::f64;
    case 9: return DType::c32;
    case 10: return DType::c64;
    case 11: return DType::c128;
    case 12: return DType::b8;
    case 13: return DType::bf16;
    case 28: return DType::u16;
    case 29: return DType::f8e4m3fn;
    case 30: return DType::f8e5m2;
    case 31: return DType::f8e4m3fnuz;
    case 32: return DType::f8e5m2fnuz;
    case 33: return DType::f8e8m0fnu;
    case 34: return DType::u32;
    case 35: return DType::u64;
    default: throw Malformed("unknown dtype " + std::to_string(number));
    }
}

Layout layout_of(std::int64_t number) {
    switch (number) {
    case 1: return Layout::sparse_coo;
    case 2: return Layout::sparse_csr;
    case 3: return Layout::sparse_csc;
    case 4: return Layout::sparse_bsr;
    case 5: return Layout::sparse_bsc;
    case 6: return Layout::mkldnn;
    case 7: return Layout::strided;
    default: throw Malformed("unknown layout " + std::to_string(number));
    }
}

MemoryFormat memory_format_of(std::int64_t number) {
    switch (number) {
    case 1: return MemoryFormat::contiguous;
    case 2: return MemoryFormat::channels_last;
    case 3: return MemoryFormat::channels_last_3d;
    case 4: return MemoryFormat::preserve;
    default: throw Malformed("unknown memory format " + std::to_string(number));
    }
}

std::string device_of(Json& device) {
    std::string text = device.at("type").text();
    if (Json* index = device.find("index")) text += ":" + std::to_string(index->integer());
    return text;
}

std::optional<std::int64_t> storage_bytes(const TensorMeta& meta) {
    const auto offset = meta.storage_offset ? meta.storage_offset->constant() : std::int64_t{0};
    if (!offset || !meta.strides) return std::nullopt;
    std::int64_t last = *offset;
    for (std::size_t dimension = 0; dimension < meta.sizes.size(); ++dimension) {
        const auto size = meta.sizes[dimension].constant();
        const auto stride = (*meta.strides)[dimension].constant();
        if (!size || !stride) return std::nullopt;
        if (*size == 0) return 0;
        last = add(last, multiply(*size - 1, *stride));
    }
    return multiply(add(last, 1), element_size(meta.dtype));
}

TensorMeta ValueMetaReader::tensor(Json& meta) {
    TensorMeta result;
    result.dtype = dtype_of(meta.at("dtype").integer());
    result.layout = layout_of(meta.at("layout").integer());
    result.device = device_of(meta.at("device"));
    result.requires_grad = meta.at("requires_grad").boolean();
    result.storage_offset = size(meta.at("storage_offset"));
    for (Json& each : meta.at("sizes").items()) result.sizes.push_back(size(each));
    result.strides.emplace();
    for (Json& each : meta.at("strides").items()) result.strides->push_back(size(each));

    if (result.layout == Layout::strided) {
        if (result.strides->size() != result.sizes.size())
            throw Malformed("the tensor has " + std::to_string(result.sizes.size()) + " sizes but " +
                            std::to_string(result.strides->size()) + " strides");
        (void)storage_bytes(result);
    } else {
        result.strides.reset(); // such a tensor has none, whatever is written for them
    }
    std::int64_t elements = 1;
    for (const SymbolicSize& each : result.sizes)
        if (const auto constant = each.constant(); constant && *constant != 0) elements = multiply(elements, *constant);
    (void)multiply(elements, element_size(result.dtype));
    return result;
}

ScalarMeta ValueMetaReader::scalar(ScalarMeta::Kind kind, Json& value) {
    auto& [form, content] = value.alternative();
    if (form == "as_expr") return {kind, expression(content)};
    if (kind == ScalarMeta::Kind::integer && form == "as_int") return {kind, content.integer()};
    if (kind == ScalarMeta::Kind::boolean && form == "as_bool") return {kind, content.boolean() ? 1 : 0};
    if (kind == ScalarMeta::Kind::floating && form == "as_float") return {kind, floating_constant(content)};
    throw Malformed("'" + form + "' is no symbolic value");
}

SymbolicSize ValueMetaReader::size(Json& value) {
    SymbolicSize result = scalar(ScalarMeta::Kind::integer, value).value;
    if (const auto constant = result.constant(); constant && *constant < 0)
        throw Malformed("the size, stride or offset " + std::to_string(*constant) + " is negative");
    return result;
}

SymbolicSize ValueMetaReader::expression(Json& expression) {
    std::string& text = expression.at("expr_str").text();
    std::optional<std::int64_t> hint;
    if (Json* sample = expression.find("hint"))
        if (const auto* integer = std::get_if<std::int64_t>(&sample->alternative().value.value)) hint = *integer;

    std::string key = text + '\0' + (hint ? std::to_string(*hint) : "");
    if (const auto known = expressions_.find(key); known != expressions_.end()) return known->second;
    auto parsed = SymbolicSize::parse_srepr(text, hint);
    if (!parsed)
        throw Malformed(parsed.error().place, "the expression '" + text + "' cannot be read: " + parsed.error().reason);
    if (hint && parsed->expression() && parsed->expression()->kind == SizeExpression::Kind::symbol)
        hints_.emplace(parsed->expression()->text, *hint);
    return expressions_.emplace(std::move(key), *parsed).first->second;
}

} // namespace inspector::pt2
