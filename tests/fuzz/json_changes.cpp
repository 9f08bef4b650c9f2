#include "tests/fuzz/json_changes.h"

#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include <nlohmann/json.hpp>

namespace fuzz {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::ptrdiff_t depth_limit = 500; // of printing, which recurses

class Change {
public:
    Change(Json& document, unsigned seed) : document_(document), random_(seed) { collect(); }

    void make() {
        Json& value = *any(values_);
        switch (number(7)) {
        case 0: value = unexpected(); break;
        case 1: {
            Json copy = *any(values_);
            value = std::move(copy);
            break;
        }
        case 2:
            if (!value.empty() && value.is_array()) value.erase(number(value.size()));
            else if (!value.empty() && value.is_object()) value.erase(std::next(value.begin(), step(value)));
            break;
        case 3:
            if (value.is_array() && !value.empty()) {
                Json copy = value[number(value.size())];
                value.insert(std::next(value.begin(), step(value)), std::move(copy));
            } else if (value.is_object() && !value.empty() && !names_.empty()) {
                Json copy = *std::next(value.begin(), step(value));
                value[names_[number(names_.size())]] = std::move(copy);
            }
            break;
        case 4: value = Json::array({Json(value)}); break;
        case 5:
            if (value.is_number_integer()) value = static_cast<std::int64_t>(value.get<std::uint64_t>() + number(5) - 2);
            else if (value.is_boolean()) value = !value.get<bool>();
            else if (value.is_string()) value = changed(value.get<std::string>());
            break;
        default:
            if (!texts_.empty()) value = texts_[number(texts_.size())];
        }
        collect();
    }

private:
    void collect() {
        values_ = {&document_};
        names_.clear();
        texts_.clear();
        for (std::size_t i = 0; i < values_.size(); ++i) {
            Json& value = *values_[i];
            if (value.is_string()) texts_.push_back(value.get<std::string>());
            if (value.is_object())
                for (const auto& member : value.items()) names_.push_back(member.key());
            if (value.is_structured())
                for (Json& element : value) values_.push_back(&element);
        }
    }

    std::size_t number(std::size_t below) { return std::uniform_int_distribution<std::size_t>(0, below - 1)(random_); }
    std::ptrdiff_t step(const Json& value) { return static_cast<std::ptrdiff_t>(number(value.size())); }
    Json* any(const std::vector<Json*>& values) { return values[number(values.size())]; }

    Json unexpected() {
        static const std::vector<Json> values = {
            nullptr, true, false, 0, 1, -1, 2, 63, 64, 65, 1e308, -0.5, "", "Infinity", "-1", "x", "s0", "Symbol('s0', integer=True)",
            std::string("a\0b", 3), "<b>", "../x", 1LL << 31, 1LL << 40, std::numeric_limits<std::int64_t>::max(),
            std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::uint64_t>::max(), Json::array(), Json::object()};
        return values[number(values.size())];
    }

    std::string changed(std::string text) {
        if (text.empty()) return "(";
        const std::size_t at = number(text.size());
        switch (number(4)) {
        case 0: text.erase(at, 1 + number(4)); break;
        case 1: text[at] = static_cast<char>(' ' + number(95)); break;
        case 2: text.insert(at, text, number(text.size())); break;
        default: text.insert(at, 1, "()[]{}.,'\"-0"[number(12)]);
        }
        return text;
    }

    Json& document_;
    std::minstd_rand random_;
    std::vector<Json*> values_;
    std::vector<std::string> names_, texts_;
};

/// Whether brackets of `text` nest too deep, those in its strings counted too.
bool is_deep(std::string_view text) {
    std::ptrdiff_t depth = 0;
    for (const char c : text) {
        depth += (c == '[' || c == '{') - (c == ']' || c == '}');
        if (depth > depth_limit) return true;
    }
    return false;
}

} // namespace

std::optional<std::string> change_json(std::string_view text, std::size_t room, unsigned seed) {
    if (is_deep(text)) return std::nullopt;
    Json document = Json::parse(text, nullptr, false);
    if (document.is_discarded()) return std::nullopt;
    Change change(document, seed);
    for (unsigned i = 0; i <= seed % 4; ++i) change.make();
    std::string changed = document.dump(-1, ' ', false, Json::error_handler_t::replace);
    if (changed.size() > room) return std::nullopt;
    return changed;
}

} // namespace fuzz
