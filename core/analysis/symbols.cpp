#include "core/analysis/symbols.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>

#include "core/analysis/symbol_values.h"
#include "core/analysis/symbolic_region.h"

namespace inspector {
namespace {

using Kind = SymbolOrigin::Kind;

class Table {
public:
    explicit Table(const ProgramGraph& program) : program_(program), order_(size_order(program)) {}

    std::vector<SymbolFacts> build() {
        for (const NodeId id : program_.graph) look_at(id);
        for (const SymbolRange& range : program_.ranges) of(range.symbol);
        for (const SizeFact& fact : size_facts(program_.graph)) take(fact);
        std::vector<SymbolFacts> table;
        for (auto& [name, symbol] : symbols_) {
            if (const auto range = order_.ranges().find(name); range != order_.ranges().end()) {
                symbol.minimum = range->second.minimum;
                symbol.maximum = range->second.maximum;
            }
            if (const auto hint = program_.hints.find(name); hint != program_.hints.end()) symbol.hint = hint->second;
            else if (const auto own = own_hints_.find(name); own != own_hints_.end()) symbol.hint = own->second;
            table.push_back(std::move(symbol));
        }
        return table;
    }

private:
    SymbolFacts& of(const std::string& name) {
        SymbolFacts& symbol = symbols_[name];
        symbol.name = name;
        return symbol;
    }

    void look_at(NodeId id) {
        const Node& node = program_.graph.node(id);
        const bool is_input = node.opcode == Opcode::placeholder;
        if (const auto* scalar = std::get_if<ScalarMeta>(&node.meta)) {
            const bool is_symbol = take(id, scalar->value);
            if (is_symbol)
                came_from(scalar->value.expression()->text, is_input ? Kind::input_number : Kind::data_dependent, id);
            else brought_in(id, scalar->value);
        }
        if (const auto* tensor = std::get_if<TensorMeta>(&node.meta)) look_at(id, *tensor, is_input);
        if (const auto* list = std::get_if<ListMeta>(&node.meta))
            for (const auto& item : list->items)
                if (item) look_at(id, *item, false);
        for (const Argument& argument : node.args) look_at(id, argument);
        for (const auto& [name, argument] : node.kwargs) look_at(id, argument);
    }

    void look_at(NodeId id, const TensorMeta& tensor, bool is_input) {
        for (std::size_t i = 0; i < tensor.sizes.size(); ++i) {
            const SymbolicSize& size = tensor.sizes[i];
            const bool is_symbol = take(id, size);
            if (!is_input) {
                brought_in(id, size);
            } else if (is_symbol) {
                const std::string& name = size.expression()->text;
                if (!came_from(name, Kind::input_dimension, id, i))
                    relate({name}, {dimension_text(id, i) + " = " + name, id, "input_dimension"});
            } else if (!size.is_constant()) {
                for (const std::string& name : size.symbols()) derived_.try_emplace(name, id, i, size.to_string());
                relate(size.symbols(), {dimension_text(id, i) + " = " + size.to_string(), id, "input_dimension"});
            }
        }
        for (const SymbolicSize& stride : tensor.strides.value_or(std::vector<SymbolicSize>{})) take(id, stride);
        if (tensor.storage_offset) take(id, *tensor.storage_offset);
        if (is_input) // an expression of its own where no input is the symbol alone
            for (const auto& [name, place] : derived_)
                if (auto& origin = of(name).origin; origin.kind == Kind::unused)
                    origin = {Kind::derived, place.node, place.dimension, place.text};
    }

    void look_at(NodeId id, const Argument& argument) {
        if (const auto* size = argument.as<SymbolicSize>()) take(id, *size);
        if (const auto* list = argument.as<ArgumentList>())
            for (const Argument& item : list->items) look_at(id, item);
        if (const auto* dict = argument.as<ArgumentDict>())
            for (const auto& [key, item] : dict->items) look_at(id, item);
    }

    /// True: `size` is a symbol alone.
    bool take(NodeId id, const SymbolicSize& size) {
        if (size.is_constant()) return false;
        for (const std::string& name : size.symbols()) {
            auto& uses = of(name).uses;
            if (uses.empty() || uses.back() != id) uses.push_back(id);
        }
        const bool is_symbol = size.expression()->kind == SizeExpression::Kind::symbol;
        if (is_symbol && size.hint()) own_hints_[size.expression()->text] = *size.hint();
        return is_symbol;
    }

    /// The first to have a symbol that no input has makes it.
    void brought_in(NodeId id, const SymbolicSize& size) {
        for (const std::string& name : size.symbols()) came_from(name, Kind::data_dependent, id);
    }

    /// False: it is known already.
    bool came_from(const std::string& name, Kind kind, NodeId id, std::size_t dimension = 0) {
        SymbolOrigin& origin = of(name).origin;
        const bool is_better =
            origin.kind == Kind::unused || (origin.kind == Kind::derived && kind != Kind::data_dependent);
        if (is_better) origin = {kind, id, dimension, {}};
        return is_better;
    }

    [[nodiscard]] std::string dimension_text(NodeId id, std::size_t dimension) const {
        return "%" + program_.graph.node(id).name + ".size(" + std::to_string(dimension) + ")";
    }

    void relate(const std::vector<std::string>& names, const SymbolFacts::Relation& relation) {
        for (const std::string& name : names) of(name).relations.push_back(relation);
    }

    void take(const SizeFact& fact) {
        if (const auto divides = divisibility(fact.condition)) {
            auto& divisor = of(divides->first).divisor;
            divisor = std::lcm(divisor.value_or(1), divides->second);
            return;
        }
        if (order_.decide(fact.condition) == Truth::always) return; // the ranges say it
        std::set<std::string> names;
        for (const SymbolicSize* side : {&fact.condition.left, &fact.condition.right})
            for (std::string& name : side->symbols()) names.insert(std::move(name));
        relate({names.begin(), names.end()},
               {order_.text(fact.condition), fact.node, std::string(text_id(fact.source))});
    }

    struct Place {
        NodeId node;
        std::size_t dimension;
        std::string text;
    };
    const ProgramGraph& program_;
    SizeOrder order_;
    std::map<std::string, SymbolFacts> symbols_;
    std::map<std::string, std::int64_t> own_hints_;
    std::map<std::string, Place> derived_;
};

} // namespace

std::string_view text_id(Kind kind) {
    constexpr std::array ids{"input_dimension", "input_number", "derived", "data_dependent", "unused"};
    return ids[static_cast<std::size_t>(kind)];
}

std::string range_words(const std::optional<std::int64_t>& minimum, const std::optional<std::int64_t>& maximum) {
    if (!minimum && !maximum) return "any integer";
    if (!maximum) return "from " + std::to_string(*minimum);
    if (minimum == maximum) return std::to_string(*minimum);
    return (minimum ? std::to_string(*minimum) : "") + ".." + std::to_string(*maximum);
}

std::vector<SymbolFacts> symbol_table(const ProgramGraph& program) { return Table(program).build(); }

} // namespace inspector
