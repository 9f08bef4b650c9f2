#include "core/formats/trace_log/record_json.h"

#include <array>
#include <string>

#include <nlohmann/json.hpp>

namespace inspector::trace_log {
namespace {

using Json = nlohmann::ordered_json;

tl::unexpected<Error> failure(std::size_t offset, std::string reason) {
    return fail("column " + std::to_string(offset + 1), std::move(reason));
}

/// Puts 0, and blanks behind it, where a number is that JSON does not have; offsets stay.
Result<std::string> without_special_numbers(std::string_view text, std::uint32_t depth) {
    constexpr std::array<std::string_view, 3> special{"NaN", "Infinity", "-Infinity"};
    std::string json(text);
    std::uint32_t open = 0;
    bool in_string = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (in_string) {
            if (c == '\\') ++i;
            else if (c == '"') in_string = false;
            continue;
        }
        if (c == '"') in_string = true;
        if ((c == '{' || c == '[') && ++open > depth)
            return failure(i, "JSON is nested deeper than " + std::to_string(depth) + " levels");
        if ((c == '}' || c == ']') && open > 0) --open;
        if (c != 'N' && c != 'I' && c != '-') continue;
        for (const std::string_view number : special)
            if (text.substr(i).starts_with(number)) {
                json.replace(i, number.size(), "0" + std::string(number.size() - 1, ' '));
                i += number.size() - 1;
                break;
            }
    }
    return json;
}

} // namespace

Result<Json> parse_record_json(std::string_view text, std::uint32_t depth) {
    const auto plain = without_special_numbers(text, depth);
    if (!plain) return tl::unexpected(plain.error());
    try {
        Json json = Json::parse(*plain);
        if (!json.is_object() || json.empty()) return failure(0, "a record's JSON is an object with its kind");
        return json;
    } catch (const Json::parse_error& error) {
        const bool is_cut = error.byte > plain->size();
        return failure(error.byte == 0 ? 0 : error.byte - 1, is_cut ? "the record's JSON is cut short" : "the record's JSON is broken");
    }
}

} // namespace inspector::trace_log
