#include "core/formats/level/level_json.h"

#include <nlohmann/json.hpp>

#include "core/analysis/level.h"
#include "core/analysis/operator_forms.h"
#include "core/operators/infer.h"

namespace inspector {
namespace {

using Json = nlohmann::ordered_json;

Json name_of(const Operator* op) { return op ? Json(op->short_target()) : Json(); }

Json places_json(const Program& program, const std::vector<NestedLevel::Place>& places, bool only_unknown = false) {
    Json list = Json::array();
    for (const NestedLevel::Place& place : places) {
        const ProgramGraph& graph = program.graphs[place.graph];
        const Node& node = graph.graph.node(place.node);
        if (only_unknown && !std::holds_alternative<UnknownMeta>(node.meta)) continue;
        list.push_back({{"graph", graph.id}, {"node", node.name}});
    }
    return list;
}

Json against_json(const Program& program, const NestedLevel& found) {
    Json levels = Json::array();
    for (const Level level : {Level::training, Level::functional_aten, Level::core_aten}) {
        if (level <= found.level) continue;
        Json operators = Json::array();
        for (const NestedLevel::Use& use : found.operators)
            if (use.obstacle && stands_against(*use.obstacle) == level)
                operators.push_back({{"target", short_name(use)}, {"kind", kind_name(*use.obstacle)},
                                     {"nodes", places_json(program, use.places)}});
        levels.push_back({{"level", level_name(level)}, {"operators", std::move(operators)}});
    }
    return levels;
}

Json operator_json(const Program& program, const NestedLevel::Use& use) {
    const Operator* op = use.op;
    const OperatorForms forms = op ? forms_of(*op) : OperatorForms{};
    const auto if_known = [&](auto value) { return op ? Json(value) : Json(); };
    return {{"target", short_name(use)},
            {"obstacle", use.obstacle ? Json(kind_name(*use.obstacle)) : Json()},
            {"schema", op ? Json(op->schema_text) : Json()},
            {"tags", op ? Json(op->tags) : Json()},
            {"core", if_known(op && op->has_tag("core"))},
            {"composite", if_known(op && op->is_composite)},
            {"decomposable", if_known(op && is_decomposable(*op))},
            {"functional", name_of(forms.functional)},
            {"in_place", name_of(forms.in_place)},
            {"out", name_of(forms.out)},
            {"meta", op ? Json(text_id(op->meta)) : Json()},
            {"own_meta", if_known(op && has_own_meta_kernel(*op))},
            {"nodes", places_json(program, use.places)}};
}

} // namespace

std::string level_json(const Program& program, std::size_t graph, const Nesting& nesting) {
    const NestedLevel found = find_level(program, graph, nesting);
    Json operators = Json::array(), missing = Json::array();
    for (const NestedLevel::Use& use : found.operators) {
        operators.push_back(operator_json(program, use));
        if (const std::string needed = needed_for_metadata(use); !needed.empty())
            missing.push_back({{"target", short_name(use)},
                               {"needed", needed},
                               {"nodes", places_json(program, use.places)},
                               {"unknown", places_json(program, use.places, true)}});
    }
    const Json object = {{"schema", 1},
                         {"file", program.path},
                         {"graph", program.graphs[graph].id},
                         {"ok", true},
                         {"level", level_name(found.level)},
                         {"own_level", level_name(found.own_level)},
                         {"why", why_not_higher(found)},
                         {"against", against_json(program, found)},
                         {"operators", std::move(operators)},
                         {"missing_meta", std::move(missing)}};
    return object.dump(-1, ' ', false, Json::error_handler_t::replace);
}

} // namespace inspector
