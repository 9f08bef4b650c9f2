#include "core/formats/torchscript/default_argument.h"

#include <charconv>

namespace inspector::torchscript {
namespace {

bool is_number(std::string_view text, double value) {
    double parsed = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), parsed);
    return problem == std::errc{} && end == text.data() + text.size() && parsed == value;
}

} // namespace

bool is_default(const Argument& argument, const SchemaArgument& parameter) {
    if (!parameter.default_text) return false;
    const std::string& text = *parameter.default_text;
    if (argument.as<None>()) return text == "None";
    if (const auto* flag = argument.as<bool>()) return text == (*flag ? "True" : "False");
    if (const auto* integer = argument.as<std::int64_t>()) return text == std::to_string(*integer);
    if (const auto* real = argument.as<double>()) return is_number(text, *real);
    if (const auto* string = argument.as<std::string>()) return text == '"' + *string + '"';
    if (const auto* format = argument.as<MemoryFormat>()) return *format == MemoryFormat::contiguous && text == "contiguous_format";
    if (const auto* list = argument.as<ArgumentList>()) {
        std::string items;
        for (const Argument& item : list->items) {
            const auto* integer = item.as<std::int64_t>();
            if (!integer) return false;
            // "int[2] stride=1" is one number for all.
            if (text == std::to_string(*integer) && list->items.size() == 1) return true;
            items += (items.empty() ? "" : ", ") + std::to_string(*integer);
        }
        return text == '[' + items + ']';
    }
    return false;
}

} // namespace inspector::torchscript
