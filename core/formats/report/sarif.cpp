// SARIF 2.1.0, OASIS standard: sarif-schema-2.1.0.json.
#include <algorithm>
#include <set>
#include <string_view>

#include <nlohmann/json.hpp>

#include "core/formats/report/report.h"

namespace inspector {
namespace {

using Json = nlohmann::ordered_json;

Json rule(std::string_view check) {
    return {{"id", check}, {"shortDescription", {{"text", "The check " + std::string(check) + " keeps an op out of place"}}}};
}

Json result(const ReportRow& row) {
    Json location = {{"logicalLocations", Json::array({{{"name", "%" + row.name}, {"kind", "variable"}}})}};
    if (!row.source_file.empty())
        location["physicalLocation"] = {{"artifactLocation", {{"uri", row.source_file}}}, {"region", {{"startLine", std::max(1, row.source_line)}}}};
    return {{"ruleId", row.check},
            {"level", "note"},
            {"message", {{"text", "%" + row.name + " " + plain_text(row.reason)}}},
            {"locations", Json::array({std::move(location)})},
            {"properties", {{"bytes", row.bytes}}}};
}

} // namespace

std::string print_sarif(const Report& report) {
    Json rules = Json::array(), results = Json::array();
    std::set<std::string_view> named;
    for (const std::size_t index : report.misses) {
        const ReportRow& row = report.rows[index];
        if (named.insert(row.check).second) rules.push_back(rule(row.check));
        results.push_back(result(row));
    }
    const Json log = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                      {"version", "2.1.0"},
                      {"runs", Json::array({{{"tool", {{"driver", {{"name", "Reinplace Inspector"}, {"rules", std::move(rules)}}}}},
                                             {"artifacts", Json::array({{{"location", {{"uri", report.file}}}}})},
                                             {"results", std::move(results)}}})}};
    return log.dump(1, ' ', false, Json::error_handler_t::replace) + '\n';
}

} // namespace inspector
