#include "core/formats/pt2/value_names.h"

#include <algorithm>
#include <cctype>

namespace inspector::pt2 {
namespace {

constexpr std::string_view unused = "_unused_";

bool is_ascii_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

} // namespace

bool is_identifier(std::string_view name) {
    // Python also takes letters beyond ASCII; the JSON parser has seen to it that they are valid UTF-8.
    const auto may_begin = [](char c) {
        return is_ascii_letter(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
    };
    return !name.empty() && may_begin(name.front()) &&
           std::all_of(name.begin(), name.end(), [&](char c) { return may_begin(c) || is_digit(c); });
}

std::string unused_name(std::string_view node, std::size_t position) {
    return std::string(node).append(unused).append(std::to_string(position));
}

bool is_unused_name(std::string_view name) {
    const auto word = name.rfind(unused);
    return word != std::string_view::npos &&
           name.find_first_not_of("0123456789_", word + unused.size()) == std::string_view::npos;
}

std::string name_from_target(std::string_view target) {
    constexpr std::string_view operators = "torch.ops.";
    constexpr std::string_view higher_order = "torch.ops.higher_order.";
    // The overload belongs to an operator's function name: "split.Tensor".
    const bool has_overload = target.starts_with(operators) && !target.starts_with(higher_order);
    auto dot = target.rfind('.');
    if (has_overload && dot > 0) dot = target.rfind('.', dot - 1);
    if (dot != std::string_view::npos) target.remove_prefix(dot + 1);

    std::string name;
    for (std::size_t i = 0; i < target.size(); ++i) {
        const char c = target[i];
        const bool is_capital = c >= 'A' && c <= 'Z';
        if (is_capital && i > 0 && target[i - 1] >= 'a' && target[i - 1] <= 'z') name += '_';
        if (is_capital) name += static_cast<char>(c - 'A' + 'a');
        else name += is_ascii_letter(c) || is_digit(c) || c == '_' ? c : '_';
    }
    if (name.empty()) name = "_unnamed";
    if (is_digit(name.front())) name.insert(name.begin(), '_');
    return name;
}

std::string* value_name(JsonMember& argument) {
    auto& [kind, content] = argument;
    if (kind == "as_tensor" || kind == "as_custom_obj") return &content.at("name").text();
    if (kind == "as_sym_int" || kind == "as_sym_float" || kind == "as_sym_bool")
        if (auto& [form, name] = content.alternative(); form == "as_name") return &name.text();
    return nullptr;
}

std::string* result_name(Json& item) {
    if (Json* name = item.find("name")) return &name->text();
    if (Json* name = item.find("as_name")) return &name->text();
    return value_name(item.alternative());
}

} // namespace inspector::pt2
