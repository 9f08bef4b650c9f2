#include "core/formats/pt2/custom_metadata.h"

namespace inspector::pt2 {
namespace {

/// The value under `key`, an object where it was not there.
Json& member(Json& object, std::string_view key) {
    if (Json* found = object.find(key)) return *found;
    object.members().push_back({std::string(key), {Json::Object{}}});
    return object.members().back().value;
}

} // namespace

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
