#include "core/formats/pt2/custom_metadata.h"

namespace inspector::pt2 {
namespace {

/// The value under `key`, an object where it was not there.
Json& member(Json& object, std::string_view key) {
    if (Json* found = object.find(key)) return *found;
    object.members().push_back({std::string(key), {Json::Object{}}});
    return object.members().back().value;
}

/// Whether `object` is empty then.
bool drop(Json& object, const std::string_view* key, const std::string_view* end) {
    Json* found = std::holds_alternative<Json::Object>(object.value) ? object.find(*key) : nullptr;
    if (!found) return false;
    if (key + 1 == end || drop(*found, key + 1, end))
        std::erase_if(object.members(), [&](const JsonMember& each) { return each.key == *key; });
    return object.members().empty();
}

} // namespace

void drop_custom(Json& owner, std::initializer_list<std::string_view> path) {
    Json* metadata = owner.find("metadata");
    Json* stored = metadata ? metadata->find("custom") : nullptr;
    const auto* text = stored ? std::get_if<std::string>(&stored->value) : nullptr;
    if (!text || text->find(*path.begin()) == std::string::npos) return; // most have none, and keep their bytes
    try {
        Json custom = parse_json(*text, {});
        const bool is_empty = drop(custom, path.begin(), path.end());
        if (is_empty) std::erase_if(metadata->members(), [](const JsonMember& each) { return each.key == "custom"; });
        else stored->value = format_json(custom);
    } catch (const Malformed&) {
        // Nobody's record.
    }
}

void set_custom(Json& owner, std::initializer_list<std::string_view> path, std::string_view record) {
    try {
        Json& metadata = member(owner, "metadata");
        Json* stored = metadata.find("custom");
        Json custom{Json::Object{}};
        if (stored && !stored->text().empty()) custom = parse_json(stored->text(), {});
        Json* place = &custom;
        for (const std::string_view key : path) place = &member(*place, key);
        *place = parse_json(record, {});
        member(metadata, "custom").value = format_json(custom);
    } catch (Malformed& error) {
        error.within("metadata \"custom\"");
        throw;
    }
}

} // namespace inspector::pt2
