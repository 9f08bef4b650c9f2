#include "core/formats/pt2/json_tree.h"

#include <algorithm>
#include <limits>

#include <nlohmann/json.hpp>

namespace inspector::pt2 {
namespace {

std::string_view kind_name(const Json& json) {
    static constexpr std::string_view names[] = {"null",     "a boolean", "an integer", "a number",
                                                 "a string", "a list",    "an object"};
    return names[json.value.index()];
}

[[noreturn]] void expected(std::string_view what, const Json& found) {
    throw Malformed("expected " + std::string(what) + ", found " + std::string(kind_name(found)));
}

template <typename T> T& get(Json& json, std::string_view what) {
    if (T* value = std::get_if<T>(&json.value)) return *value;
    expected(what, json);
}

template <typename T> const T& get(const Json& json, std::string_view what) {
    if (const T* value = std::get_if<T>(&json.value)) return *value;
    expected(what, json);
}

/// Builds the tree from the events of nlohmann's parser, which itself does not recurse.
class TreeBuilder {
public:
    explicit TreeBuilder(const JsonLimits& limits) : limits_(limits) {}

    Json take() { return std::move(root_); }

    bool null() {
        place({});
        return true;
    }
    bool boolean(bool value) {
        place({value});
        return true;
    }
    bool number_integer(std::int64_t value) {
        place({value});
        return true;
    }
    bool number_unsigned(std::uint64_t value) {
        if (value <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
            place({static_cast<std::int64_t>(value)});
        else place({JsonNumber{static_cast<double>(value), std::to_string(value)}});
        return true;
    }
    bool number_float(double value, const std::string& text) {
        place({JsonNumber{value, text}});
        return true;
    }
    bool string(std::string& value) {
        place({std::move(value)});
        return true;
    }
    bool binary(nlohmann::json::binary_t&) { return false; }
    bool start_object(std::size_t) {
        open({Json::Object{}});
        return true;
    }
    bool start_array(std::size_t) {
        open({Json::Array{}});
        return true;
    }
    bool end_object() {
        open_.pop_back();
        return true;
    }
    bool end_array() {
        open_.pop_back();
        return true;
    }
    bool key(std::string& name) {
        std::get<Json::Object>(open_.back()->value).push_back({std::move(name), {}});
        return true;
    }
    bool parse_error(std::size_t position, const std::string&, const nlohmann::json::exception& error) {
        std::string_view words = error.what();
        // nlohmann's words begin with "[json.exception.parse_error.101] parse error at line 1, column 5: ".
        if (const auto colon = words.find(": "); colon != std::string_view::npos) words.remove_prefix(colon + 2);
        throw Malformed("byte " + std::to_string(position), "is not valid JSON: " + std::string(words));
    }

private:
    /// The new value's place in the tree. A container that is open is the last child of its parent, so the pointers in
    /// `open_` stay valid while its children are added.
    Json* place(Json value) {
        if (++count_ > limits_.values) throw Malformed("holds more than " + std::to_string(limits_.values) + " values");
        if (limits_.cancelled && count_ % 4096 == 0 && *limits_.cancelled) throw Malformed("reading was cancelled");
        if (open_.empty()) {
            root_ = std::move(value);
            return &root_;
        }
        if (auto* array = std::get_if<Json::Array>(&open_.back()->value)) return &array->emplace_back(std::move(value));
        Json& member = std::get<Json::Object>(open_.back()->value).back().value;
        member = std::move(value);
        return &member;
    }

    void open(Json container) {
        if (open_.size() >= limits_.depth)
            throw Malformed("is nested deeper than " + std::to_string(limits_.depth) + " levels");
        open_.push_back(place(std::move(container)));
    }

    const JsonLimits& limits_;
    Json root_;
    std::vector<Json*> open_;
    std::uint64_t count_ = 0;
};

void append_text(const std::string& text, std::string& out) {
    const bool is_plain =
        std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; });
    if (is_plain) out.append(1, '"').append(text).append(1, '"');
    else out += nlohmann::json(text).dump(-1, ' ', /*ensure_ascii=*/true);
}

void append(const Json& json, std::string& out) {
    if (json.is_null()) out += "null";
    else if (const auto* boolean = std::get_if<bool>(&json.value)) out += *boolean ? "true" : "false";
    else if (const auto* integer = std::get_if<std::int64_t>(&json.value)) out += std::to_string(*integer);
    else if (const auto* number = std::get_if<JsonNumber>(&json.value)) out += number->text;
    else if (const auto* text = std::get_if<std::string>(&json.value)) append_text(*text, out);
    else if (const auto* array = std::get_if<Json::Array>(&json.value)) {
        std::string_view between = "[";
        for (const Json& item : *array) {
            out += between;
            append(item, out);
            between = ", ";
        }
        out += array->empty() ? "[]" : "]";
    } else {
        const auto& object = std::get<Json::Object>(json.value);
        std::string_view between = "{";
        for (const auto& [key, value] : object) {
            out += between;
            append_text(key, out);
            out += ": ";
            append(value, out);
            between = ", ";
        }
        out += object.empty() ? "{}" : "}";
    }
}

} // namespace

void Malformed::within(std::string_view outer) {
    place = place.empty() ? std::string(outer) : std::string(outer) + ", " + place;
}

Json* Json::find(std::string_view key) {
    Object& object = members();
    for (auto member = object.rbegin(); member != object.rend(); ++member)
        if (member->key == key) return member->value.is_null() ? nullptr : &member->value;
    return nullptr;
}

Json& Json::at(std::string_view key) {
    if (Json* found = find(key)) return *found;
    throw Malformed("'" + std::string(key) + "' is missing");
}

Json::Object& Json::members() { return get<Object>(*this, "an object"); }
Json::Array& Json::items() { return get<Array>(*this, "a list"); }
std::string& Json::text() { return get<std::string>(*this, "a string"); }
std::int64_t Json::integer() const { return get<std::int64_t>(*this, "an integer of 64 bits"); }
bool Json::boolean() const { return get<bool>(*this, "a boolean"); }

double Json::real() const {
    if (const auto* integer = std::get_if<std::int64_t>(&value)) return static_cast<double>(*integer);
    if (const auto* word = std::get_if<std::string>(&value)) {
        if (*word == "Infinity") return std::numeric_limits<double>::infinity();
        if (*word == "-Infinity") return -std::numeric_limits<double>::infinity();
        if (*word == "NaN") return std::numeric_limits<double>::quiet_NaN();
        throw Malformed("'" + *word + "' is no number");
    }
    return get<JsonNumber>(*this, "a number").value;
}

JsonMember& Json::alternative() {
    Object& object = members();
    if (object.size() != 1) throw Malformed("expected an object of one member, found " + std::to_string(object.size()));
    return object.front();
}

Json parse_json(std::string_view text, const JsonLimits& limits) {
    TreeBuilder builder(limits);
    if (!nlohmann::json::sax_parse(text.begin(), text.end(), &builder)) throw Malformed("is not valid JSON");
    return builder.take();
}

std::string format_json(const Json& json) {
    std::string text;
    append(json, text);
    return text;
}

} // namespace inspector::pt2
