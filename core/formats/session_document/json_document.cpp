#include "core/formats/session_document/json_document.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace inspector::session_document {
namespace {

constexpr std::uint64_t most_values = 50'000'000;

tl::unexpected<Error> failure(std::string_view document, std::size_t offset, std::string reason) {
    const std::string_view before = document.substr(0, offset);
    const auto line = std::ranges::count(before, '\n') + 1;
    const std::size_t start = before.rfind('\n'); // npos + 1 is 0
    return fail("line " + std::to_string(line) + ", column " + std::to_string(offset - (start + 1) + 1), std::move(reason));
}

/// Before anything is built: the parser itself has no limits.
Result<void> check_limits(std::string_view document, const ReadLimits& limits) {
    std::uint32_t open = 0;
    std::uint64_t values = 0;
    bool in_string = false;
    for (std::size_t i = 0; i < document.size(); ++i) {
        const char c = document[i];
        if (in_string) {
            if (c == '\\') ++i;
            else if (c == '"') in_string = false;
            continue;
        }
        if (c == '"') in_string = true;
        else if (c == '{' || c == '[') {
            ++values;
            // A document's own levels are above those of the arguments in it.
            if (++open > limits.depth + 16)
                return failure(document, i, "JSON is nested deeper than " + std::to_string(limits.depth + 16) + " levels");
        } else if ((c == '}' || c == ']') && open > 0) --open;
        else if (c == ',') ++values;
    }
    if (values > most_values) return fail({}, "has more than " + std::to_string(most_values) + " JSON values");
    return {};
}

std::string escaped(std::string_view key) {
    std::string text;
    for (const char c : key) text += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
    return text;
}

std::optional<std::string> path_to(const Json& from, const Json* value) {
    if (&from == value) return "";
    if (!from.is_structured()) return std::nullopt;
    std::size_t index = 0;
    for (auto item = from.begin(); item != from.end(); ++item, ++index)
        if (auto rest = path_to(*item, value))
            return '/' + (from.is_object() ? escaped(item.key()) : std::to_string(index)) + *rest;
    return std::nullopt;
}

[[noreturn]] void unexpected(const Json& value, const char* wanted) {
    throw Malformed{&value, std::string(value.type_name()) + " stands where " + wanted + " belongs"};
}

} // namespace

Result<Json> parse_document(std::string_view document, const ReadLimits& limits) {
    if (const auto fits = check_limits(document, limits); !fits) return tl::unexpected(fits.error());
    try {
        return Json::parse(document);
    } catch (const Json::parse_error& error) {
        const std::size_t offset = error.byte == 0 ? 0 : error.byte - 1;
        const bool is_cut = offset >= document.size();
        return failure(document, std::min(offset, document.size()), is_cut ? "the document is cut short" : "this is no JSON");
    } catch (const Json::exception& error) { // a number no double can hold
        return fail({}, std::string("this is no JSON: ") + error.what());
    }
}

std::string pointer_to(const Json& document, const Json* value) {
    const auto path = path_to(document, value);
    return !path || path->empty() ? "/" : *path;
}

const Json& object(const Json& value) {
    if (!value.is_object()) unexpected(value, "an object");
    return value;
}

const Json& list(const Json& value) {
    if (!value.is_array()) unexpected(value, "a list");
    return value;
}

const std::string& text(const Json& value) {
    if (!value.is_string()) unexpected(value, "a text");
    return value.get_ref<const std::string&>();
}

std::int64_t integer(const Json& value) {
    if (!value.is_number_integer()) unexpected(value, "an integer");
    if (value.is_number_unsigned() && value.get<std::uint64_t>() > std::uint64_t{std::numeric_limits<std::int64_t>::max()})
        throw Malformed{&value, "the number is too large"};
    return value.get<std::int64_t>();
}

std::uint32_t count(const Json& value) {
    const std::int64_t number = integer(value);
    if (number < 0 || number > std::numeric_limits<std::uint32_t>::max())
        throw Malformed{&value, std::to_string(number) + " is no count"};
    return static_cast<std::uint32_t>(number);
}

bool boolean(const Json& value) {
    if (!value.is_boolean()) unexpected(value, "true or false");
    return value.get<bool>();
}

const Json* find(const Json& value, const char* key) {
    const auto found = object(value).find(key);
    return found == value.end() || found->is_null() ? nullptr : &*found;
}

const Json& member(const Json& value, const char* key) {
    const auto found = object(value).find(key);
    if (found == value.end()) throw Malformed{&value, std::string("the member \"") + key + "\" is missing"};
    return *found;
}

std::string text_or_empty(const Json& value, const char* key) {
    const Json* found = find(value, key);
    return found ? text(*found) : "";
}

std::pair<const std::string&, const Json&> alternative(const Json& value) {
    if (!value.is_object() || value.size() != 1) throw Malformed{&value, "an object with one member belongs here"};
    const auto only = value.begin();
    return {only.key(), *only};
}

std::string print_line(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

void put_text(Json& value, const char* key, const std::string& words) {
    if (!words.empty()) value[key] = words;
}

} // namespace inspector::session_document
