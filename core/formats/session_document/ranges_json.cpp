#include "core/formats/session_document/ranges_json.h"

namespace inspector::session_document {

Json ranges_json(const std::vector<SymbolRange>& ranges) {
    Json json = Json::array();
    for (const SymbolRange& range : ranges)
        json.push_back({{"symbol", range.symbol},
                        {"minimum", range.minimum ? Json(*range.minimum) : Json()},
                        {"maximum", range.maximum ? Json(*range.maximum) : Json()}});
    return json;
}

std::vector<SymbolRange> read_ranges(const Json& json) {
    std::vector<SymbolRange> ranges;
    for (const Json& item : list(json)) {
        SymbolRange range{.symbol = text(member(item, "symbol")), .minimum = {}, .maximum = {}};
        if (const Json* minimum = find(item, "minimum")) range.minimum = integer(*minimum);
        if (const Json* maximum = find(item, "maximum")) range.maximum = integer(*maximum);
        ranges.push_back(std::move(range));
    }
    return ranges;
}

std::map<std::string, std::int64_t> read_hints(const Json& json) {
    std::map<std::string, std::int64_t> hints;
    for (auto hint = object(json).begin(); hint != json.end(); ++hint) hints[hint.key()] = integer(*hint);
    return hints;
}

} // namespace inspector::session_document
