#include "core/formats/fx_text/annotation.h"

#include <charconv>
#include <limits>
#include <string>

#include "core/formats/fx_text/source_text.h"

namespace inspector::fx_text {
namespace {

tl::unexpected<Error> refuse(std::string_view text, std::string reason) {
    return fail({}, "the annotation \"" + std::string(text.substr(0, 120)) + "\" cannot be read: " + std::move(reason));
}

/// Index of the bracket that closes the one at `open`; npos when there is none.
std::size_t closing_bracket(std::string_view text, std::size_t open) {
    std::size_t depth = 0;
    for (std::size_t i = open; i < text.size(); ++i) {
        if (text[i] == '(' || text[i] == '[') ++depth;
        else if ((text[i] == ')' || text[i] == ']') && --depth == 0) return i;
    }
    return std::string_view::npos;
}

Result<SymbolicSize> parse_size(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (status == std::errc{} && end == text.data() + text.size()) return SymbolicSize(value);
    return SymbolicSize::parse(text);
}

Result<std::vector<SymbolicSize>> parse_sizes(std::string_view list) {
    std::vector<SymbolicSize> sizes;
    if (trimmed(list).empty()) return sizes;
    std::size_t depth = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= list.size(); ++i) {
        if (i < list.size()) {
            if (list[i] == '(' || list[i] == '[') ++depth;
            if ((list[i] == ')' || list[i] == ']') && depth > 0) --depth;
            if (list[i] != ',' || depth > 0) continue;
        }
        auto size = parse_size(trimmed(list.substr(begin, i - begin)));
        if (!size) return tl::unexpected(size.error());
        sizes.push_back(std::move(*size));
        begin = i + 1;
    }
    return sizes;
}

/// Empty, or what is wrong with the sizes.
std::string_view check_sizes(const std::vector<SymbolicSize>& sizes) {
    std::int64_t elements = 1;
    bool is_empty = false;
    bool overflows = false;
    for (const SymbolicSize& size : sizes) {
        const auto value = size.constant();
        if (!value) continue;
        if (*value < 0) return "a size is negative";
        if (*value == 0) is_empty = true;
        else if (elements > std::numeric_limits<std::int64_t>::max() / *value) overflows = true;
        else elements *= *value;
    }
    return overflows && !is_empty ? "the tensor has more elements than 64 bits count" : "";
}

Result<ValueMeta> parse_tensor(std::string_view text, std::string_view whole) {
    const std::size_t open = text.find('[');
    if (open == std::string_view::npos) return refuse(whole, "a dtype and sizes in brackets are expected");
    TensorMeta meta;
    const auto dtype = dtype_from_short_name(text.substr(0, open));
    if (!dtype) return refuse(whole, "\"" + std::string(text.substr(0, open)) + "\" is no dtype this program knows");
    meta.dtype = *dtype;
    std::size_t close = closing_bracket(text, open);
    if (close == std::string_view::npos) return refuse(whole, "a bracket is not closed");
    auto sizes = parse_sizes(text.substr(open + 1, close - open - 1));
    if (!sizes) return refuse(whole, sizes.error().reason);
    meta.sizes = std::move(*sizes);
    if (const std::string_view problem = check_sizes(meta.sizes); !problem.empty())
        return refuse(whole, std::string(problem));
    text.remove_prefix(close + 1);
    if (text.starts_with('[')) {
        close = closing_bracket(text, 0);
        if (close == std::string_view::npos) return refuse(whole, "a bracket is not closed");
        auto strides = parse_sizes(text.substr(1, close - 1));
        if (!strides) return refuse(whole, strides.error().reason);
        if (strides->size() != meta.sizes.size()) return refuse(whole, "there are not as many strides as sizes");
        meta.strides = std::move(*strides);
        text.remove_prefix(close + 1);
    }
    if (!text.empty()) meta.device = std::string(text);
    return meta;
}

bool is_floating_symbol(std::string_view name) { return name.starts_with("zf") || name.starts_with("zuf"); }

Result<ValueMeta> parse_scalar(std::string_view text, std::string_view whole) {
    auto value = SymbolicSize::parse(text);
    if (!value) return refuse(whole, value.error().reason);
    ScalarMeta meta;
    using Kind = SizeExpression::Kind;
    if (const SizeExpression* expression = value->expression()) {
        switch (expression->kind) {
        case Kind::equal:
        case Kind::not_equal:
        case Kind::less:
        case Kind::less_equal:
        case Kind::greater:
        case Kind::greater_equal:
        case Kind::logical_and:
        case Kind::logical_or:
        case Kind::logical_not: meta.kind = ScalarMeta::Kind::boolean; break;
        default:
            if (text == "True" || text == "False") meta.kind = ScalarMeta::Kind::boolean;
            for (const std::string& symbol : value->symbols())
                if (is_floating_symbol(symbol)) meta.kind = ScalarMeta::Kind::floating;
        }
    }
    meta.value = std::move(*value);
    return meta;
}

} // namespace

Result<ValueMeta> parse_annotation(std::string_view text) {
    const std::string_view whole = text;
    const std::size_t open = text.find_first_of("([");
    if (open == std::string_view::npos || text[open] == '[') return parse_tensor(text, whole);
    if (closing_bracket(text, open) != text.size() - 1) return refuse(whole, "a bracket is not closed");
    const std::string_view inside = text.substr(open + 1, text.size() - open - 2);
    const std::string_view name = text.substr(0, open);
    if (name == "Sym") return parse_scalar(inside, whole);
    if (!is_identifier(name)) return refuse(whole, "a class's name is expected before the parenthesis");
    // A DTensor's placements follow its tensor behind ", "; the graph has no use for them.
    const std::size_t sizes = inside.find('[');
    std::size_t end = inside.size();
    std::size_t depth = 0;
    for (std::size_t i = sizes == std::string_view::npos ? 0 : sizes; i < inside.size(); ++i) {
        if (inside[i] == '(' || inside[i] == '[') ++depth;
        if ((inside[i] == ')' || inside[i] == ']') && depth > 0) --depth;
        if (inside[i] != ',' || depth > 0) continue;
        end = i;
        break;
    }
    auto meta = parse_tensor(inside.substr(0, end), whole);
    if (meta) std::get<TensorMeta>(*meta).class_name = std::string(name);
    return meta;
}

} // namespace inspector::fx_text
