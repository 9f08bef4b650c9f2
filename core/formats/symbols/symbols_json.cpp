#include "core/formats/symbols/symbols_json.h"

#include <nlohmann/json.hpp>

#include "core/analysis/symbols.h"

namespace inspector {
namespace {

using Json = nlohmann::ordered_json;

Json optional_number(const std::optional<std::int64_t>& number) { return number ? Json(*number) : Json(); }

Json range_json(const std::string& name, const std::optional<std::int64_t>& minimum,
                const std::optional<std::int64_t>& maximum) {
    return {{"name", name}, {"minimum", optional_number(minimum)}, {"maximum", optional_number(maximum)}};
}

class SymbolWriter {
public:
    explicit SymbolWriter(const Graph& graph) : graph_(graph) {}

    Json symbol(const SymbolFacts& symbol) const {
        const SymbolOrigin& origin = symbol.origin;
        const bool has_dimension =
            origin.kind == SymbolOrigin::Kind::input_dimension || origin.kind == SymbolOrigin::Kind::derived;
        Json relations = Json::array(), uses = Json::array();
        for (const SymbolFacts::Relation& relation : symbol.relations)
            relations.push_back(
                {{"text", relation.text}, {"node", name(relation.node)}, {"because", relation.because}});
        for (const NodeId node : symbol.uses) uses.push_back(name(node));
        Json object = range_json(symbol.name, symbol.minimum, symbol.maximum);
        object["hint"] = optional_number(symbol.hint);
        object["origin"] = {{"kind", text_id(origin.kind)},
                            {"node", name(origin.node)},
                            {"dimension", has_dimension ? Json(origin.dimension) : Json()},
                            {"expression", origin.expression.empty() ? Json() : Json(origin.expression)}};
        object["divisible_by"] = optional_number(symbol.divisor);
        object["relations"] = std::move(relations);
        object["uses"] = std::move(uses);
        return object;
    }

    Json name(NodeId node) const { return node == no_node ? Json() : Json(graph_.node(node).name); }

private:
    const Graph& graph_;
};

Json varying_json(const std::vector<VaryingSize>& sizes) {
    Json list = Json::array();
    for (const VaryingSize& size : sizes)
        list.push_back({{"node", size.node},
                        {"dimension", size.dimension},
                        {"sizes", size.sizes},
                        {"expression", size.expression},
                        {"free", size.is_free}});
    return list;
}

std::string dump(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

} // namespace

std::string symbols_json(const std::string& file, const ProgramGraph& program, const std::vector<SymbolRange>& asked) {
    ProgramGraph other = program;
    set_ranges(other, asked);
    const SymbolWriter writer(program.graph);
    Json symbols = Json::array(), conditions = Json::array(), ranges = Json::array(), changes = Json::array();
    for (const SymbolFacts& symbol : symbol_table(other)) symbols.push_back(writer.symbol(symbol));
    for (const Decision& decision : conditional_refusals(other))
        conditions.push_back({{"node", writer.name(decision.node)},
                              {"check", text_id(decision.check)},
                              {"in_place_if", decision.condition->text},
                              {"only_if", decision.condition->is_exact},
                              {"otherwise", decision.condition->otherwise}});
    for (const SymbolRange& range : asked) ranges.push_back(range_json(range.symbol, range.minimum, range.maximum));
    if (!asked.empty())
        for (const RangeEffect& effect : range_effects(program, asked))
            changes.push_back({{"node", writer.name(effect.node)}, {"before", effect.before}, {"after", effect.after},
                               {"condition", effect.condition.empty() ? Json() : Json(effect.condition)}});
    return dump({{"schema", 1}, {"file", file}, {"graph", program.id}, {"ok", true}, {"symbols", std::move(symbols)},
                 {"conditions", std::move(conditions)}, {"asked", std::move(ranges)}, {"changes", std::move(changes)}});
}

std::string variation_json(const std::vector<std::string>& files, const std::vector<std::string>& graphs,
                           const SizeVariation& variation) {
    return dump({{"schema", 1},
                 {"files", files},
                 {"graphs", graphs},
                 {"ok", true},
                 {"inputs", varying_json(variation.inputs)},
                 {"values", varying_json(variation.values)},
                 {"missing", variation.missing},
                 {"changed", variation.changed}});
}

} // namespace inspector
