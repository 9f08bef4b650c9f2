#include "core/formats/fx_text/bare_argument.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <limits>

#include "core/formats/fx_text/python_argument.h"
#include "core/formats/fx_text/python_expression.h"

namespace inspector::fx_text {
namespace {

constexpr std::size_t npos = std::string_view::npos;

constexpr std::array<std::string_view, 18> device_types{"cpu",  "cuda", "meta",          "mps",    "xpu", "mtia",
                                                        "hpu",  "xla",  "ipu",           "vulkan", "hip", "ve",
                                                        "lazy", "maia", "privateuseone", "npu",    "mlu", "fpga"};

bool opens(char c) { return c == '(' || c == '[' || c == '{'; }
bool closes(char c) { return c == ')' || c == ']' || c == '}'; }

char opening_of(char closing) { return closing == ')' ? '(' : closing == ']' ? '[' : '{'; }

/// Depth of brackets while going through a text from left to right. A string may hold brackets that have no partner;
/// they count as letters.
class BracketDepth {
public:
    explicit BracketDepth(std::string_view text) : text_(text) {
        std::vector<std::size_t> open;
        std::array<std::size_t, 128> open_of_kind{};
        for (std::size_t i = 0; i < text.size(); ++i) {
            const char c = text[i];
            if (opens(c)) {
                open.push_back(i);
                ++open_of_kind[static_cast<std::size_t>(c)];
            } else if (closes(c)) {
                std::size_t& partners = open_of_kind[static_cast<std::size_t>(opening_of(c))];
                if (partners == 0) {
                    lone_.push_back(i);
                    continue;
                }
                for (; text[open.back()] != opening_of(c); open.pop_back()) {
                    --open_of_kind[static_cast<std::size_t>(text[open.back()])];
                    lone_.push_back(open.back());
                }
                open.pop_back();
                --partners;
            }
        }
        lone_.insert(lone_.end(), open.begin(), open.end());
        std::ranges::sort(lone_);
    }
    /// Depth behind the character at `i`, which must be the one after the last asked for.
    std::size_t behind(std::size_t i) {
        if (next_lone_ < lone_.size() && lone_[next_lone_] == i) ++next_lone_;
        else if (opens(text_[i])) ++depth_;
        else if (closes(text_[i])) --depth_;
        return depth_;
    }

private:
    std::string_view text_;
    std::vector<std::size_t> lone_;
    std::size_t next_lone_ = 0;
    std::size_t depth_ = 0;
};

/// The text is one bracket from its first to its last character.
bool is_enclosed(std::string_view text, char open, char close) {
    if (text.size() < 2 || text.front() != open || text.back() != close) return false;
    BracketDepth depth(text);
    for (std::size_t i = 0; i < text.size(); ++i)
        if (depth.behind(i) == 0) return i + 1 == text.size();
    return false;
}

/// Parts between separators outside of brackets. A comma separates where a blank or the end follows, as FX prints it,
/// and behind a node or a bracket, as people write it.
std::vector<std::string_view> split(std::string_view text) {
    std::vector<std::string_view> parts;
    BracketDepth depth(text);
    std::size_t begin = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (depth.behind(i) > 0 || text[i] != ',') continue;
        const bool is_followed_by_blank = i + 1 == text.size() || text[i + 1] == ' ';
        const bool is_behind_value = begin < i && (text[begin] == '%' || opens(text[begin]));
        if (!is_followed_by_blank && !is_behind_value) continue;
        parts.push_back(text.substr(begin, i - begin));
        begin = i + 1;
        if (begin < text.size() && text[begin] == ' ') ++begin;
    }
    const bool ends_in_comma = !text.empty() && text.back() == ',' && begin == text.size();
    if (!text.empty() && !ends_in_comma) parts.push_back(text.substr(begin));
    return parts;
}

/// From the start of `first` to the end of `last`, two parts of one text.
std::string_view span(std::string_view first, std::string_view last) {
    return {first.data(), static_cast<std::size_t>(last.data() + last.size() - first.data())};
}

std::optional<std::int64_t> integer(std::string_view text) {
    if (text.size() > 1 && text.front() == '0') return std::nullopt; // a string such as "007"
    std::int64_t value = 0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || status != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

std::optional<double> floating(std::string_view text) {
    if (text == "inf") return std::numeric_limits<double>::infinity();
    if (text == "-inf") return -std::numeric_limits<double>::infinity();
    if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
    if (text.empty() || text.find_first_not_of("+-.0123456789eE") != npos || text.find_first_of("0123456789") == npos)
        return std::nullopt;
    const std::string copy(text);
    char* end = nullptr;
    const double value = std::strtod(copy.c_str(), &end);
    if (end != copy.c_str() + copy.size()) return std::nullopt;
    return value;
}

/// "(1+2j)", "2j", as Python's str gives them.
std::optional<std::complex<double>> complex_number(std::string_view text) {
    if (is_enclosed(text, '(', ')')) text = text.substr(1, text.size() - 2);
    if (!text.ends_with('j')) return std::nullopt;
    text.remove_suffix(1);
    std::size_t sign = text.find_last_of("+-");
    if (sign != npos && sign > 0 && (text[sign - 1] == 'e' || text[sign - 1] == 'E'))
        sign = text.find_last_of("+-", sign - 1);
    if (sign == npos || sign == 0) {
        const auto imaginary = floating(text);
        if (!imaginary) return std::nullopt;
        return std::complex<double>(0, *imaginary);
    }
    const auto real = floating(text.substr(0, sign));
    const auto imaginary = floating(text.substr(text[sign] == '+' ? sign + 1 : sign));
    if (!real || !imaginary) return std::nullopt;
    return std::complex<double>(*real, *imaginary);
}

bool is_device(std::string_view text) {
    const std::size_t colon = std::min(text.find(':'), text.size());
    if (std::ranges::find(device_types, text.substr(0, colon)) == device_types.end()) return false;
    return colon == text.size() || (colon + 1 < text.size() && std::ranges::all_of(text.substr(colon + 1), is_digit));
}

std::string_view without_optional(std::string_view type) {
    if (type.ends_with('?')) type.remove_suffix(1);
    return type;
}

bool is_list_type(std::string_view type) { return without_optional(type).ends_with(']'); }
bool is_string_type(std::string_view type) { return without_optional(type) == "str"; }

/// "Tensor?[]" gives "Tensor?", "int[2]" gives "int"; other types themselves.
std::string_view element_type(std::string_view type) {
    type = without_optional(type);
    return type.ends_with(']') ? type.substr(0, type.rfind('[')) : type;
}

/// "aten.add.Tensor": an operator as a value, which str(graph) prints without "torch.ops.".
bool is_overload_name(std::string_view text) {
    const std::size_t first = text.find('.');
    const std::size_t second = first == npos ? npos : text.find('.', first + 1);
    return second != npos && is_identifier(text.substr(0, first)) &&
           is_identifier(text.substr(first + 1, second - first - 1)) && is_identifier(text.substr(second + 1));
}

/// How Python prints an object that has no literal: "range(0, 2)", "<function f at 0x7f…>", "torch.Size"; no rule
/// tells a string of that look from it.
bool is_object(std::string_view text) {
    const std::size_t open = text.find('(');
    const std::string_view callee = text.substr(0, open);
    const auto is_name_part = [](char c) { return is_identifier_part(c) || c == '.'; };
    const bool is_call = open != npos && !callee.empty() && std::ranges::all_of(callee, is_name_part) &&
                         is_enclosed(text.substr(open), '(', ')');
    const bool is_in_angles = text.starts_with('<') && text.ends_with('>');
    return text == "Ellipsis" || is_call || is_in_angles ||
           (text.starts_with("torch.") && std::ranges::all_of(text, is_name_part));
}

/// Functions that are no operators and take strings, by the types of their arguments.
std::vector<std::string_view> types_of_function(std::string_view target) {
    if (target == "builtins.getattr" || target == "builtins.setattr") return {"Any", "str", "Any"};
    if (target == "builtins.hasattr" || target == "torch._assert") return {"Any", "str"};
    return {};
}

/// Names that are no nodes stand in a container.
bool holds_words(std::string_view container) {
    for (std::size_t i = 0; i < container.size(); ++i) {
        if (container[i] == '%')
            while (i + 1 < container.size() && is_identifier_part(container[i + 1])) ++i;
        else if (is_identifier_start(container[i])) return true;
    }
    return false;
}

/// Some text could be meant by more than its look: a schema is worth asking for.
bool is_word(std::string_view text) {
    if (text.empty()) return true;
    if (text.front() == '%' || text.starts_with("torch.")) return false;
    if (opens(text.front())) return !closes(text.back()) || holds_words(text);
    return text != "None" && text != "True" && text != "False" && !integer(text) && !floating(text);
}

/// Values of the type print as nodes and numbers.
bool takes_no_word(std::string_view type) {
    constexpr std::array<std::string_view, 8> types{"Tensor", "int",  "SymInt",  "float",
                                                    "Scalar", "bool", "SymBool", "SymFloat"};
    return std::ranges::find(types, type) != types.end();
}

/// Whether a value of `type` can print as `text`. Unknown types take anything.
bool can_be(std::string_view text, std::string_view type) {
    if (is_string_type(type) || type == "Any") return true;
    if (text == "None") return type.ends_with('?');
    if (is_list_type(type)) return !is_word(text) || symbolic_size(text);
    type = without_optional(type);
    const bool is_node = text.starts_with('%');
    const bool is_number = integer(text) || floating(text) || complex_number(text) || text == "True" ||
                           text == "False" || symbolic_size(text);
    if (takes_no_word(type)) return is_node || is_number;
    if (type == "ScalarType" || type == "Layout" || type == "MemoryFormat")
        return text.starts_with("torch.") || integer(text) || is_node;
    if (type == "Device") return is_node || is_device(text) || is_identifier(text.substr(0, text.find(':')));
    return true;
}

/// Joins parts of strings that held separators so that every part can be of its argument's type. `types` are those of
/// the positional arguments; a string takes as few parts as possible. Parts stay as they are where no way is found.
std::vector<std::string_view> join_strings(const std::vector<std::string_view>& parts,
                                           const std::vector<std::string_view>& types) {
    // fits[i][j]: parts from i on can be given to arguments from j on; later[i][j]: some part from i on is such a
    // start.
    const std::size_t rows = parts.size() + 1;
    const std::size_t columns = types.size() + 1;
    std::vector<char> fits(rows * columns, 0);
    std::vector<char> later(rows * columns, 0);
    const auto at = [columns](std::size_t i, std::size_t j) { return i * columns + j; };
    for (std::size_t i = rows; i-- > 0;) {
        for (std::size_t j = columns; j-- > 0;) {
            if (i == parts.size()) fits[at(i, j)] = 1;
            else if (j < types.size())
                fits[at(i, j)] = is_string_type(types[j]) ? later[at(i + 1, j + 1)]
                                                          : can_be(parts[i], types[j]) && fits[at(i + 1, j + 1)];
            later[at(i, j)] = fits[at(i, j)] || (i + 1 < rows && later[at(i + 1, j)]);
        }
    }
    if (!fits[at(0, 0)]) return parts;
    std::vector<std::string_view> joined;
    for (std::size_t i = 0, j = 0; i < parts.size(); ++j) {
        std::size_t next = i + 1;
        if (is_string_type(types[j]))
            while (!fits[at(next, j + 1)]) ++next;
        joined.push_back(span(parts[i], parts[next - 1]));
        i = next;
    }
    return joined;
}

} // namespace

std::size_t BareArgumentReader::offset_of(std::string_view part) const {
    return static_cast<std::size_t>(part.data() - builder_.source().text().data());
}

Result<std::vector<Argument>> BareArgumentReader::read_args(std::string_view text, std::string_view target) {
    std::vector<std::string_view> parts = split(text);
    std::vector<std::string_view> types = types_of_function(target);
    if (types.empty() && std::ranges::any_of(parts, is_word))
        if (const Operator* op = find_operator_ ? find_operator_(target) : nullptr)
            for (const SchemaArgument& argument : op->arguments)
                if (!argument.keyword_only) types.push_back(argument.type);
    constexpr std::size_t most_parts = 10'000; // beyond, no string is looked for
    if (std::ranges::any_of(types, is_string_type) && parts.size() <= most_parts) parts = join_strings(parts, types);
    std::vector<Argument> args;
    args.reserve(parts.size());
    for (std::size_t i = 0; i < parts.size(); ++i) {
        auto argument = read(parts[i], i < types.size() ? types[i] : std::string_view{}, 0);
        if (!argument) return tl::unexpected(argument.error());
        const bool is_operator =
            target.starts_with("torch.ops.higher_order.") && argument->as<std::string>() && is_overload_name(parts[i]);
        args.push_back(is_operator ? Argument(OpaqueText{"torch.ops." + std::string(parts[i])}) : std::move(*argument));
    }
    return args;
}

Result<std::vector<NamedArgument>> BareArgumentReader::read_kwargs(std::string_view text, std::string_view target) {
    std::vector<NamedArgument> kwargs;
    const std::vector<std::string_view> parts = split(text);
    const Operator* op = nullptr;
    const auto key_end = [](std::string_view part) {
        const std::size_t colon = part.find(": ");
        return colon != npos && is_identifier(part.substr(0, colon)) ? colon : npos;
    };
    const auto is_ambiguous = [&](std::string_view part) {
        const std::size_t colon = key_end(part);
        return colon == npos || is_word(part.substr(colon + 2));
    };
    if (std::ranges::any_of(parts, is_ambiguous) && find_operator_) op = find_operator_(target);
    const auto argument_of = [&](std::string_view name) -> const SchemaArgument* {
        if (!op) return nullptr;
        const auto found = std::ranges::find(op->arguments, name, &SchemaArgument::name);
        return found == op->arguments.end() ? nullptr : &*found;
    };
    const auto starts_argument = [&](std::string_view part) {
        const std::size_t colon = key_end(part);
        return colon != npos && (!op || argument_of(part.substr(0, colon)));
    };
    for (std::size_t i = 0; i < parts.size();) {
        const std::size_t colon = parts[i].find(": ");
        if (colon == npos)
            return tl::unexpected(builder_.source().error(offset_of(parts[i]), "\"name: value\" is expected"));
        std::size_t next = i + 1;
        while (next < parts.size() && !starts_argument(parts[next])) ++next; // the rest of a string with separators
        const std::string_view value = span(parts[i].substr(colon + 2), parts[next - 1]);
        const std::string_view name = parts[i].substr(0, colon);
        const SchemaArgument* argument = argument_of(name);
        auto read_argument = read(value, argument ? std::string_view(argument->type) : std::string_view{}, 0);
        if (!read_argument) return tl::unexpected(read_argument.error());
        kwargs.emplace_back(std::string(name), std::move(*read_argument));
        i = next;
    }
    return kwargs;
}

Result<Argument> BareArgumentReader::read(std::string_view text, std::string_view type, std::uint32_t depth) {
    if (depth > builder_.options().limits.depth)
        return tl::unexpected(
            builder_.source().error(offset_of(text), "arguments are nested deeper than " +
                                                         std::to_string(builder_.options().limits.depth) + " levels"));
    if (is_string_type(type) && text != "None") return Argument(std::string(text));
    if (text.starts_with('%')) return read_node(text);
    if (const auto value = complex_number(text)) return Argument(*value);
    const std::string_view inside = text.size() < 2 ? std::string_view{} : text.substr(1, text.size() - 2);
    const auto as_argument = [](Result<ArgumentList> list) -> Result<Argument> {
        if (!list) return tl::unexpected(list.error());
        return Argument(std::move(*list));
    };
    if (is_enclosed(text, '[', ']'))
        return as_argument(read_list(inside, element_type(type), ArgumentList::Kind::list, depth));
    if (is_enclosed(text, '(', ')'))
        return as_argument(read_list(inside, element_type(type), ArgumentList::Kind::tuple, depth));
    if (is_enclosed(text, '{', '}')) return read_dict(inside, depth);
    if (text.starts_with("slice(") && is_enclosed(text.substr(5), '(', ')')) return read_repr(text);
    return read_word(text, type);
}

Result<ArgumentList> BareArgumentReader::read_list(std::string_view inside, std::string_view type,
                                                   ArgumentList::Kind kind, std::uint32_t depth) {
    ArgumentList list;
    list.kind = kind;
    for (const std::string_view part : split(inside)) {
        auto item = read(part, type, depth + 1);
        if (!item) return tl::unexpected(item.error());
        list.items.push_back(std::move(*item));
    }
    return list;
}

Result<Argument> BareArgumentReader::read_dict(std::string_view inside, std::uint32_t depth) {
    ArgumentDict dict;
    const std::vector<std::string_view> parts = split(inside);
    if (!parts.empty() && parts[0].find(": ") == npos)
        return Argument(OpaqueText{"{" + std::string(inside) + "}"}); // a set
    for (std::size_t i = 0; i < parts.size();) {
        const std::size_t colon = parts[i].find(": ");
        std::size_t next = i + 1;
        while (next < parts.size() && parts[next].find(": ") == npos) ++next; // the rest of a string with separators
        auto value = read(span(parts[i].substr(colon + 2), parts[next - 1]), {}, depth + 1);
        if (!value) return tl::unexpected(value.error());
        dict.items.emplace_back(std::string(parts[i].substr(0, colon)), std::move(*value));
        i = next;
    }
    return Argument(std::move(dict));
}

Result<Argument> BareArgumentReader::read_node(std::string_view text) const {
    const std::string_view name = text.substr(1);
    const NodeId node = builder_.find(name);
    if (node != no_node) return Argument(NodeReference{node});
    if (!is_identifier(name))
        return Argument(std::string(text)); // "%d things": a string that begins with a percent sign
    return tl::unexpected(builder_.source().error(
        offset_of(text), "\"" + std::string(text) + "\" is used, but no node of that name stands before this line"));
}

Result<Argument> BareArgumentReader::read_repr(std::string_view text) const {
    const std::string_view source = builder_.source().text();
    ExpressionParser parser(source, offset_of(text), builder_.options().limits.depth);
    Expression expression;
    if (!parser.parse_expression(expression))
        return tl::unexpected(builder_.source().error(parser.error()->offset, parser.error()->reason));
    if (expression.end != offset_of(text) + text.size()) return Argument(OpaqueText{std::string(text)});
    return ArgumentReader(builder_, source).read(expression);
}

Result<Argument> BareArgumentReader::read_default(std::string_view text) {
    return is_enclosed(text, '(', ')') || is_enclosed(text, '[', ']') || is_enclosed(text, '{', '}')
               ? read_repr(text)
               : read(text, {}, 0);
}

Result<Argument> BareArgumentReader::read_word(std::string_view text, std::string_view type) const {
    if (text == "None") return None{};
    if (text == "True") return true;
    if (text == "False") return false;
    if (const auto value = integer(text)) return *value;
    const bool is_beyond_64_bits =
        text.find_first_of("0123456789") != npos && text.find_first_not_of("-0123456789") == npos;
    if (is_beyond_64_bits) return OpaqueText{std::string(text)};
    if (const auto value = floating(text)) return *value;
    if (auto constant = torch_constant(text)) return std::move(*constant);
    if (without_optional(type) == "Device" || is_device(text)) return DeviceName{std::string(text)};
    if (auto size = symbolic_size(text)) return std::move(*size);
    if (is_object(text)) return OpaqueText{std::string(text)};
    if (is_list_type(type) || takes_no_word(without_optional(type)))
        return tl::unexpected(builder_.source().error(
            offset_of(text), "\"" + std::string(text.substr(0, 80)) + "\" is no value of type " + std::string(type) + ", which the operator takes here"));
    return Argument(std::string(text));
}

} // namespace inspector::fx_text
