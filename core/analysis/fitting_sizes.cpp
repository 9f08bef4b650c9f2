#include "core/analysis/fitting_sizes.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <optional>

#include "core/graph/size_polynomial.h"

namespace inspector {
namespace {

using Facts = std::vector<SizeFact>;

std::set<std::string> symbols_of(const SizeCondition& condition) {
    std::set<std::string> all;
    for (const SymbolicSize* side : {&condition.left, &condition.right})
        for (std::string& symbol : side->symbols()) all.insert(std::move(symbol));
    return all;
}

/// What an equation says that a symbol is, where it is linear in it: x of x - 2*y = 0.
std::optional<SizePolynomial> solved_for(const SizePolynomial& difference, const SizeAtom& symbol) {
    if (difference.degree(symbol) != 1) return std::nullopt;
    for (const auto& atom : difference.atoms())
        if (atom->kind != SizeAtom::Kind::symbol) return std::nullopt;
    const auto factor = difference.coefficient(symbol, 1).number();
    if (factor != 1 && factor != -1) return std::nullopt;
    return difference.coefficient(symbol, 0).times(-*factor);
}

class Chooser {
public:
    Chooser(const ProgramGraph& program, const std::set<std::string>& symbols, const SymbolValueMap& given)
        : symbols_(symbols.begin(), symbols.end()), given_(given) {
        for (const SymbolRange& range : program.ranges) ranges_[range.symbol] = range;
        for (SizeFact& fact : size_facts(program.graph)) {
            const std::set<std::string> used = symbols_of(fact.condition);
            if (std::ranges::all_of(used, [&](const std::string& symbol) { return symbols.contains(symbol); }))
                facts_.push_back(std::move(fact));
        }
        for (const NodeId id : program.graph) // every size is one
            if (const auto* tensor = std::get_if<TensorMeta>(&program.graph.node(id).meta))
                for (const SymbolicSize& size : tensor->sizes)
                    if (!size.is_constant() && std::ranges::all_of(size.symbols(), [&](const std::string& symbol) {
                            return symbols.contains(symbol);
                        }))
                        positive_.insert({size.to_string(), size});
        solve();
    }

    FittingSizes choose() {
        FittingSizes found;
        std::vector<std::string> free;
        for (const std::string& symbol : symbols_)
            if (!given_.contains(symbol) && !solutions_.contains(symbol)) free.push_back(symbol);
        SymbolValueMap values = given_;
        if (search(free, 0, values)) {
            found.values = std::move(values);
            return found;
        }
        found.values = given_;
        std::int64_t next = 4;
        for (const std::string& symbol : symbols_)
            if (!given_.contains(symbol)) found.values[symbol] = clamped(symbol, next++);
        for (const SizeFact& fact : facts_)
            if (holds(fact.condition, found.values) == false) found.unfulfilled.push_back(fact);
        return found;
    }

private:
    /// One symbol after the other is given by the rest; equations are taken in program order.
    void solve() {
        for (const SizeFact& fact : facts_) {
            if (fact.condition.relation != SizeRelation::equal) continue;
            const auto left = SizePolynomial::of(fact.condition.left), right = SizePolynomial::of(fact.condition.right);
            if (!left || !right) continue;
            SizePolynomial difference = left->minus(*right);
            for (const auto& [symbol, value] : solutions_)
                difference = difference.substituted(symbol_atom(symbol), value);
            if (difference.overflowed()) continue;
            auto atoms = difference.atoms();
            std::ranges::reverse(atoms); // later names follow earlier ones
            for (const auto& atom : atoms) {
                if (atom->kind != SizeAtom::Kind::symbol || given_.contains(atom->text)) continue;
                const auto value = solved_for(difference, *atom);
                if (!value) continue;
                for (auto& [symbol, known] : solutions_) known = known.substituted(*atom, *value);
                solutions_.emplace(atom->text, *value);
                break;
            }
        }
    }

    static SizeAtom symbol_atom(const std::string& symbol) {
        return SizeAtom{.kind = SizeAtom::Kind::symbol, .text = symbol};
    }

    [[nodiscard]] std::int64_t clamped(const std::string& symbol, std::int64_t size) const {
        const auto range = ranges_.find(symbol);
        if (range == ranges_.end()) return size;
        return std::min(std::max(size, range->second.minimum.value_or(size)),
                        range->second.maximum.value_or(std::numeric_limits<std::int64_t>::max()));
    }
    [[nodiscard]] bool in_range(const std::string& symbol, std::int64_t size) const {
        return clamped(symbol, size) == size;
    }

    bool search(const std::vector<std::string>& free, std::size_t place, SymbolValueMap& values) {
        if (place == free.size()) return complete(values);
        const std::string& symbol = free[place];
        const std::int64_t first = clamped(symbol, 4);
        // From a little above upwards, then what is below.
        for (std::int64_t step = 0; step < 70; ++step) {
            const std::int64_t size = step < 64 ? first + static_cast<std::int64_t>(place) + step : 69 - step;
            if (++tried_ > most_tried) break;
            if (size < 0 || !in_range(symbol, size)) continue;
            values[symbol] = size;
            if (is_possible(values) && search(free, place + 1, values)) return true;
        }
        values.erase(symbol);
        return false;
    }

    /// Nothing that is decided already fails.
    [[nodiscard]] bool is_possible(const SymbolValueMap& values) const {
        return std::ranges::none_of(facts_,
                                    [&](const SizeFact& fact) { return holds(fact.condition, values) == false; });
    }

    bool complete(SymbolValueMap& values) const {
        SymbolValueMap all = values;
        for (const auto& [symbol, solution] : solutions_) {
            const auto value = solution.evaluate(values);
            if (!value || *value < 0 || !in_range(symbol, *value)) return false;
            all[symbol] = *value;
        }
        for (const SizeFact& fact : facts_)
            if (holds(fact.condition, all) == false) return false;
        for (const auto& [text, size] : positive_) {
            const auto value = size.evaluate([&](std::string_view name) -> std::optional<std::int64_t> {
                const auto known = all.find(std::string(name));
                return known == all.end() ? std::nullopt : std::optional(known->second);
            });
            if (value && *value < 1 && !std::ranges::all_of(size.symbols(), [&](const std::string& symbol) {
                    return given_.contains(symbol);
                }))
                return false;
        }
        values = std::move(all);
        return true;
    }

    std::vector<std::string> symbols_;
    const SymbolValueMap& given_;
    std::map<std::string, SymbolRange> ranges_;
    Facts facts_;
    std::map<std::string, SymbolicSize> positive_;
    std::map<std::string, SizePolynomial> solutions_;
    static constexpr std::size_t most_tried = 50'000;
    std::size_t tried_ = 0;
};

} // namespace

FittingSizes choose_fitting_sizes(const ProgramGraph& program, const std::set<std::string>& symbols,
                                  const SymbolValueMap& given) {
    return Chooser(program, symbols, given).choose();
}

} // namespace inspector
