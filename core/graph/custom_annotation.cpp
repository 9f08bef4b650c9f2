#include "core/graph/custom_annotation.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "core/graph/python_repr.h"

namespace inspector {
namespace {

using Json = nlohmann::ordered_json;

constexpr int depth_limit = 200;

/// repr() of the Python value that JSON stands for.
std::string repr(const Json& value, int depth) {
    if (depth > depth_limit) return "...";
    std::string text;
    switch (value.type()) {
    case Json::value_t::null: return "None";
    case Json::value_t::boolean: return value.get<bool>() ? "True" : "False";
    case Json::value_t::number_float: return python_repr(value.get<double>());
    case Json::value_t::string: return python_repr(value.get_ref<const std::string&>());
    case Json::value_t::array:
        for (const Json& item : value) text += (text.empty() ? "" : ", ") + repr(item, depth + 1);
        return "[" + text + "]";
    case Json::value_t::object:
        for (const auto& [key, item] : value.items())
            text += (text.empty() ? "" : ", ") + python_repr(key) + ": " + repr(item, depth + 1);
        return "{" + text + "}";
    default: return value.dump(); // integers
    }
}

/// The first `count` characters of UTF-8 text.
std::string_view leading(std::string_view text, std::size_t count) {
    const auto begins_character = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80; };
    std::size_t at = 0;
    for (; at < text.size(); ++at)
        if (begins_character(text[at]) && count-- == 0) break;
    return text.substr(0, at);
}

} // namespace

std::string custom_annotation(std::string_view custom) {
    constexpr std::size_t shown = 40;
    const Json dict = Json::parse(custom, nullptr, false);
    if (dict.is_discarded() || !dict.is_object()) return std::string(custom);
    std::string text;
    for (const auto& [key, value] : dict.items()) {
        const std::string whole = value.is_string() ? value.get<std::string>() : repr(value, 0);
        const std::string_view start = leading(whole, shown);
        text += (text.empty() ? "" : ", ") + python_repr(key) + ": ";
        text += start.size() == whole.size() ? repr(value, 0) : python_repr(std::string(start) + "...");
    }
    return text.empty() ? "" : "{" + text + "}";
}

} // namespace inspector
