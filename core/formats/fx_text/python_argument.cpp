#include "core/formats/fx_text/python_argument.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <limits>

namespace inspector::fx_text {
namespace {

using Kind = Expression::Kind;

// Types may be arguments; they print by their names.
constexpr std::array<std::string_view, 14> python_types{"int",    "float", "bool",     "complex",       "str",
                                                        "bytes",  "list",  "tuple",    "dict",          "set",
                                                        "object", "type",  "NoneType", "NotImplemented"};

std::string without_digit_separators(std::string_view text) {
    std::string digits(text);
    std::erase(digits, '_');
    return digits;
}

double floating_value(std::string_view text) { return std::strtod(without_digit_separators(text).c_str(), nullptr); }

/// A literal number with its sign, as part of a complex one.
struct Number {
    double value = 0;
    bool is_imaginary = false;
};

std::optional<Number> number(const Expression& e) {
    switch (e.kind) {
    case Kind::integer:
    case Kind::floating: return Number{floating_value(e.text), false};
    case Kind::imaginary: return Number{floating_value(e.text.substr(0, e.text.size() - 1)), true};
    case Kind::name:
        if (e.text == "inf") return Number{std::numeric_limits<double>::infinity(), false};
        if (e.text == "nan") return Number{std::numeric_limits<double>::quiet_NaN(), false};
        if (e.text == "infj") return Number{std::numeric_limits<double>::infinity(), true};
        if (e.text == "nanj") return Number{std::numeric_limits<double>::quiet_NaN(), true};
        return std::nullopt;
    case Kind::unary:
        if (e.text != "-" && e.text != "+") return std::nullopt;
        if (auto operand = number(e.items[0])) {
            if (e.text == "-") operand->value = -operand->value;
            return operand;
        }
        return std::nullopt;
    default: return std::nullopt;
    }
}

/// "(1+2j)", "-2j"; nullopt for anything else.
std::optional<std::complex<double>> complex_value(const Expression& e) {
    if (const auto single = number(e)) {
        if (!single->is_imaginary) return std::nullopt;
        return std::complex<double>(0, single->value);
    }
    if (e.kind != Kind::binary || (e.text != "+" && e.text != "-")) return std::nullopt;
    const auto real = number(e.items[0]);
    const auto imaginary = number(e.items[1]);
    if (!real || !imaginary || real->is_imaginary || !imaginary->is_imaginary) return std::nullopt;
    return std::complex<double>(real->value, e.text == "+" ? imaginary->value : -imaginary->value);
}

} // namespace

std::string_view ArgumentReader::text(const Expression& expression) const {
    return source_.substr(expression.begin, expression.end - expression.begin);
}

Argument ArgumentReader::opaque(const Expression& expression) const {
    return OpaqueText{std::string(text(expression))};
}

tl::unexpected<Error> ArgumentReader::refuse(const Expression& expression, std::string reason) const {
    return tl::unexpected(builder_.source().error(expression.begin, std::move(reason)));
}

bool ArgumentReader::uses_nodes(const Expression& expression) const {
    if (expression.kind == Kind::name) return builder_.find(expression.text) != no_node;
    return std::ranges::any_of(expression.items, [&](const Expression& item) { return uses_nodes(item); });
}

Result<Argument> ArgumentReader::read(const Expression& e) {
    switch (e.kind) {
    case Kind::name: return read_name(e);
    case Kind::integer: return read_integer(e);
    case Kind::floating: return Argument(floating_value(e.text));
    case Kind::imaginary: return Argument(*complex_value(e));
    case Kind::string:
        if (auto value = string_value(e.text)) return Argument(std::move(*value));
        return opaque(e);
    case Kind::literal:
        if (e.text == "...") return Argument(OpaqueText{"Ellipsis"});
        return opaque(e);
    case Kind::tuple: return read_items(e, ArgumentList::Kind::tuple);
    case Kind::list: return read_items(e, ArgumentList::Kind::list);
    case Kind::slice: return read_items(e, ArgumentList::Kind::slice);
    case Kind::dict: return read_dict(e);
    case Kind::call: return read_call(e);
    case Kind::unary:
    case Kind::binary: return read_operation(e);
    case Kind::attribute:
        if (auto constant = torch_constant(text(e))) return std::move(*constant);
        break;
    case Kind::subscript:
    case Kind::set: break;
    }
    if (uses_nodes(e))
        return refuse(e, "\"" + std::string(text(e)) +
                             "\" is an operation inside an argument; FX gives each operation a line of its own");
    return opaque(e);
}

Result<Argument> ArgumentReader::read_name(const Expression& e) {
    if (const NodeId node = builder_.find(e.text); node != no_node) return Argument(NodeReference{node});
    if (e.text == "None") return Argument(None{});
    if (e.text == "True") return Argument(true);
    if (e.text == "False") return Argument(false);
    if (const auto value = number(e); value && !value->is_imaginary) return Argument(value->value);
    if (e.text == "Ellipsis" || std::ranges::find(python_types, e.text) != python_types.end()) return opaque(e);
    if (auto size = symbolic_size(e.text)) return Argument(std::move(*size));
    return refuse(e, "\"" + std::string(e.text) + "\" is used, but no node of that name stands before this line");
}

Result<Argument> ArgumentReader::read_integer(const Expression& e) const {
    const std::string digits = without_digit_separators(text(e));
    std::int64_t value = 0;
    const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (status == std::errc{} && end == digits.data() + digits.size()) return Argument(value);
    return opaque(e); // beyond 64 bits, or hexadecimal
}

Result<ArgumentList> ArgumentReader::read_items(const Expression& e, ArgumentList::Kind kind, std::size_t first) {
    ArgumentList list;
    list.kind = kind;
    list.items.reserve(e.items.size() - first);
    for (std::size_t i = first; i < e.items.size(); ++i) {
        auto item = read(e.items[i]);
        if (!item) return tl::unexpected(item.error());
        list.items.push_back(std::move(*item));
    }
    return list;
}

Result<Argument> ArgumentReader::read_dict(const Expression& e) {
    ArgumentDict dict;
    for (std::size_t i = 0; i + 1 < e.items.size(); i += 2) {
        const Expression& key = e.items[i];
        std::string name(text(key));
        if (key.kind == Kind::string) name = string_value(key.text).value_or(name);
        auto value = read(e.items[i + 1]);
        if (!value) return tl::unexpected(value.error());
        dict.items.emplace_back(std::move(name), std::move(*value));
    }
    return Argument(std::move(dict));
}

Result<Argument> ArgumentReader::read_call(const Expression& e) {
    const std::string_view callee = text(e.items[0]);
    const bool is_positional =
        std::ranges::all_of(e.keywords, [](std::string_view keyword) { return keyword.empty(); });
    if (callee == "slice" && is_positional && !e.keywords.empty() && e.keywords.size() <= 3) {
        auto list = read_items(e, ArgumentList::Kind::slice, 1);
        if (!list) return tl::unexpected(list.error());
        if (list->items.size() == 1) list->items.insert(list->items.begin(), None{});
        list->items.resize(3);
        return Argument(std::move(*list));
    }
    if (callee == "device" || callee == "torch.device")
        if (auto device = device_name(e)) return Argument(DeviceName{std::move(*device)});
    if (callee == "torch.Size" && e.items.size() == 2 &&
        (e.items[1].kind == Kind::list || e.items[1].kind == Kind::tuple))
        return read_items(e.items[1], ArgumentList::Kind::tuple);
    if (!uses_nodes(e)) return opaque(e);
    auto list = read_items(e, ArgumentList::Kind::tuple, 1);
    if (!list) return tl::unexpected(list.error());
    if (std::ranges::find(objects_, callee) == objects_.end()) objects_.emplace_back(callee);
    return Argument(std::move(*list));
}

Result<Argument> ArgumentReader::read_operation(const Expression& e) {
    if (e.kind == Kind::unary && e.text == "-" && e.items[0].kind == Kind::integer) return read_integer(e);
    if (const auto value = number(e); value && !value->is_imaginary) return Argument(value->value);
    if (const auto value = complex_value(e)) return Argument(*value);
    if (uses_nodes(e))
        return refuse(e, "\"" + std::string(text(e)) +
                             "\" is an operation inside an argument; FX gives each operation a line of its own");
    if (auto size = symbolic_size(text(e))) return Argument(std::move(*size));
    return opaque(e);
}

std::optional<std::string> device_name(const Expression& call) {
    std::string type;
    std::string index;
    for (std::size_t i = 0; i < call.keywords.size(); ++i) {
        const Expression& value = call.items[i + 1];
        const std::string_view keyword = call.keywords[i];
        if (value.kind == Kind::string && (keyword == "type" || (keyword.empty() && i == 0)))
            type = string_value(value.text).value_or("");
        else if (value.kind == Kind::integer && (keyword == "index" || (keyword.empty() && i == 1))) index = value.text;
        else return std::nullopt;
    }
    if (type.empty()) return std::nullopt;
    return index.empty() ? type : type + ":" + index;
}

} // namespace inspector::fx_text
