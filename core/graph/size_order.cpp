#include "core/graph/size_order.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <set>
#include <utility>

#include "core/graph/size_polynomial.h"

namespace inspector {
namespace {

using Kind = SizeAtom::Kind;

constexpr int depth_limit = 14;
constexpr std::int64_t far = std::int64_t{1} << 40; ///< bounds beyond are as good as none

std::int64_t floor_quotient(std::int64_t a, std::int64_t b) {
    const std::int64_t quotient = a / b;
    return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

bool compares(std::int64_t a, SizeRelation relation, std::int64_t b) {
    switch (relation) {
    case SizeRelation::equal: return a == b;
    case SizeRelation::not_equal: return a != b;
    case SizeRelation::less: return a < b;
    case SizeRelation::at_most: return a <= b;
    }
    return false;
}

std::string_view sign(SizeRelation relation) {
    switch (relation) {
    case SizeRelation::equal: return " = ";
    case SizeRelation::not_equal: return " ≠ ";
    case SizeRelation::less: return " < ";
    case SizeRelation::at_most: return " ≤ ";
    }
    return " ? ";
}

void collect_symbols(const SizePolynomial& polynomial, std::set<std::string>& symbols) {
    for (const auto& atom : polynomial.atoms()) {
        if (atom->kind == Kind::symbol) symbols.insert(atom->text);
        if (atom->size)
            for (const std::string& symbol : atom->size->symbols()) symbols.insert(symbol);
        for (const SizePolynomial& operand : atom->operands) collect_symbols(operand, symbols);
    }
}

/// Numbers that stand in it, down to the operands of atoms: conditions turn near them.
void collect_numbers(const SizePolynomial& polynomial, std::set<std::int64_t>& numbers) {
    for (const auto& [monomial, coefficient] : polynomial.terms()) {
        numbers.insert(std::abs(coefficient));
        for (const auto& [atom, power] : monomial) {
            if (atom->kind == Kind::floor) numbers.insert(atom->divisor);
            for (const SizePolynomial& operand : atom->operands) collect_numbers(operand, numbers);
        }
    }
}

/// `divisor` symbols replaced by multiples, in atoms' operands too.
SizePolynomial with_multiples(const SizePolynomial& polynomial, const std::map<std::string, std::int64_t>& divisors);

std::shared_ptr<const SizeAtom> multiple_of(const std::string& symbol, std::int64_t divisor) {
    return std::make_shared<const SizeAtom>(
        SizeAtom{.kind = Kind::symbol, .text = symbol + "/" + std::to_string(divisor)});
}

SizePolynomial with_multiples(const SizePolynomial& polynomial, const std::map<std::string, std::int64_t>& divisors) {
    SizePolynomial result = polynomial;
    for (const auto& atom : polynomial.atoms()) {
        if (atom->kind == Kind::symbol) {
            const auto found = divisors.find(atom->text);
            if (found != divisors.end())
                result = result.substituted(
                    *atom, SizePolynomial(multiple_of(atom->text, found->second)).times(found->second));
            continue;
        }
        if (atom->kind != Kind::floor) continue;
        const SizePolynomial numerator = with_multiples(atom->operands[0], divisors);
        bool divides = true;
        for (const auto& [monomial, coefficient] : numerator.terms())
            divides = divides && coefficient % atom->divisor == 0;
        if (!divides) continue;
        SizePolynomial quotient;
        for (const auto& [monomial, coefficient] : numerator.terms()) {
            SizePolynomial term(coefficient / atom->divisor);
            for (const auto& [factor, power] : monomial)
                for (int i = 0; i < power; ++i) term = term.times(SizePolynomial(factor));
            quotient = quotient.plus(term);
        }
        result = result.substituted(*atom, quotient);
    }
    return result;
}

/// Proofs that a polynomial is nowhere negative. Each attempt costs a step; when they are used up nothing more is
/// proven.
class Prover {
public:
    explicit Prover(const std::map<std::string, SizeOrder::Range>& ranges) : ranges_(ranges) {}

    [[nodiscard]] Truth decide(const SizePolynomial& difference, SizeRelation relation);
    [[nodiscard]] bool is_nonnegative(const SizePolynomial& polynomial, int depth = 0);
    [[nodiscard]] SizeOrder::Range bounds(const SizeAtom& atom);

private:
    [[nodiscard]] bool is_nonnegative_by_ends(const SizePolynomial& polynomial, int depth);

    const std::map<std::string, SizeOrder::Range>& ranges_;
    int steps_left_ = 2000;
};

SizeOrder::Range Prover::bounds(const SizeAtom& atom) {
    SizeOrder::Range found;
    switch (atom.kind) {
    case Kind::symbol:
        if (const auto range = ranges_.find(atom.text); range != ranges_.end())
            found = {range->second.minimum, range->second.maximum};
        break;
    case Kind::remainder: found = {0, atom.divisor - 1}; break;
    case Kind::floor:
        if (is_nonnegative(atom.operands[0], depth_limit - 3)) found.minimum = 0;
        break;
    case Kind::maximum:
    case Kind::minimum:
        for (const SizePolynomial& operand : atom.operands) {
            const auto number = operand.number();
            if (!number) continue;
            (atom.kind == Kind::maximum ? found.minimum : found.maximum) = *number;
        }
        break;
    case Kind::opaque: break;
    }
    if (found.minimum && std::abs(*found.minimum) > far) found.minimum.reset();
    if (found.maximum && std::abs(*found.maximum) > far) found.maximum.reset();
    return found;
}

/// True only where it is so at every value in range.
bool Prover::is_nonnegative(const SizePolynomial& polynomial, int depth) {
    if (polynomial.overflowed() || depth > depth_limit || --steps_left_ < 0) return false;
    if (const auto number = polynomial.number()) return *number >= 0;
    const auto atoms = polynomial.atoms();
    // A maximum is one of its operands, and no less than any.
    for (const auto& atom : atoms) {
        if (atom->kind != Kind::maximum && atom->kind != Kind::minimum) continue;
        const auto holds_with = [&](const SizePolynomial& operand) {
            return is_nonnegative(polynomial.substituted(*atom, operand), depth + 1);
        };
        if (std::ranges::all_of(atom->operands, holds_with)) return true;
        if (polynomial.degree(*atom) == 1) {
            const SizePolynomial beside = polynomial.coefficient(*atom, 1);
            const bool grows = atom->kind == Kind::maximum ? is_nonnegative(beside, depth + 1)
                                                           : is_nonnegative(beside.times(-1), depth + 1);
            if (grows && std::ranges::any_of(atom->operands, holds_with)) return true;
        }
    }
    if (is_nonnegative_by_ends(polynomial, depth)) return true;
    // divisor · (a // divisor) is a less a remainder.
    for (const auto& atom : atoms) {
        if (atom->kind != Kind::floor || polynomial.degree(*atom) > 2 || atom->divisor > 1'000'000) continue;
        const auto remainder = std::make_shared<const SizeAtom>(SizeAtom{
            .kind = Kind::remainder, .text = "rest of " + atom->text, .operands = {}, .divisor = atom->divisor});
        const SizePolynomial times_divisor = atom->operands[0].minus(SizePolynomial(remainder));
        // A whole number is not below 0 where its multiple is above -divisor.
        const std::int64_t scale = polynomial.degree(*atom) == 1 ? atom->divisor : atom->divisor * atom->divisor;
        const SizePolynomial scaled = polynomial.substituted(*atom, times_divisor, atom->divisor);
        return is_nonnegative(scaled.plus(SizePolynomial(scale - 1)), depth + 1);
    }
    return false;
}

/// By the ends of one atom's range after the other: A·x + B is least at an end of x.
bool Prover::is_nonnegative_by_ends(const SizePolynomial& polynomial, int depth) {
    for (const auto& atom : polynomial.atoms()) {
        const SizeOrder::Range range = bounds(*atom);
        const int degree = polynomial.degree(*atom);
        if (degree == 1) {
            const SizePolynomial beside = polynomial.coefficient(*atom, 1);
            const auto at = [&](std::int64_t end) {
                return is_nonnegative(polynomial.substituted(*atom, SizePolynomial(end)), depth + 1);
            };
            if (range.minimum && range.maximum) {
                if (at(*range.minimum) && at(*range.maximum)) return true;
            } else if (range.minimum && is_nonnegative(beside, depth + 1)) {
                if (at(*range.minimum)) return true;
            } else if (range.maximum && is_nonnegative(beside.times(-1), depth + 1)) {
                if (at(*range.maximum)) return true;
            }
        } else if (range.minimum) {
            // Counted from its least value, all that grows with it must be positive.
            const SizePolynomial shifted =
                polynomial.substituted(*atom, SizePolynomial(atom).plus(SizePolynomial(*range.minimum)));
            bool grows = true;
            for (int power = 0; grows && power <= degree; ++power)
                grows = is_nonnegative(shifted.coefficient(*atom, power), depth + 1);
            if (grows) return true;
        }
    }
    return false;
}

Truth Prover::decide(const SizePolynomial& difference, SizeRelation relation) {
    const SizePolynomial negative = difference.times(-1), one(1);
    switch (relation) {
    case SizeRelation::equal: {
        if (difference.is_zero()) return Truth::always;
        if (is_nonnegative(difference.minus(one)) || is_nonnegative(negative.minus(one))) return Truth::never;
        const std::int64_t content = difference.content();
        const auto constant = difference.terms().find({});
        if (content > 1 && constant != difference.terms().end() && constant->second % content != 0) return Truth::never;
        return is_nonnegative(difference) && is_nonnegative(negative) ? Truth::always : Truth::unknown;
    }
    case SizeRelation::not_equal: {
        const Truth equal = decide(difference, SizeRelation::equal);
        return equal == Truth::always ? Truth::never : equal == Truth::never ? Truth::always : equal;
    }
    case SizeRelation::less:
        return is_nonnegative(negative.minus(one)) ? Truth::always
               : is_nonnegative(difference)        ? Truth::never
                                                   : Truth::unknown;
    case SizeRelation::at_most:
        return is_nonnegative(negative)                ? Truth::always
               : is_nonnegative(difference.minus(one)) ? Truth::never
                                                       : Truth::unknown;
    }
    return Truth::unknown;
}

} // namespace

void SizeOrder::assume_divisible(const std::string& symbol, std::int64_t divisor) {
    if (divisor <= 1) return;
    divisors_[symbol] = divisor;
    Range part;
    if (const auto known = ranges_.find(symbol); known != ranges_.end()) {
        if (known->second.minimum) part.minimum = -floor_quotient(-*known->second.minimum, divisor);
        if (known->second.maximum) part.maximum = floor_quotient(*known->second.maximum, divisor);
    }
    ranges_[multiple_of(symbol, divisor)->text] = part;
}

Truth SizeOrder::decide(const SizeCondition& condition) const {
    if (condition.left.is_constant() && condition.right.is_constant())
        return compares(*condition.left.constant(), condition.relation, *condition.right.constant()) ? Truth::always
                                                                                                     : Truth::never;
    if (condition.left == condition.right)
        return condition.relation == SizeRelation::equal || condition.relation == SizeRelation::at_most ? Truth::always
                                                                                                        : Truth::never;

    const auto left = SizePolynomial::of(condition.left), right = SizePolynomial::of(condition.right);
    if (!left || !right) return Truth::unknown;
    const SizePolynomial difference = with_multiples(left->minus(*right), divisors_);
    if (difference.overflowed()) return Truth::unknown;
    const Truth proven = Prover(ranges_).decide(difference, condition.relation);
    if (proven != Truth::unknown) return proven;
    return example({condition}, true) && example({condition}, false) ? Truth::depends : Truth::unknown;
}

std::string SizeOrder::text(const SizeCondition& condition) const {
    const auto left = SizePolynomial::of(condition.left), right = SizePolynomial::of(condition.right);
    const std::string plain =
        condition.left.to_string() + std::string(sign(condition.relation)) + condition.right.to_string();
    if (!left || !right) return plain;
    SizePolynomial difference = left->minus(*right);
    if (difference.overflowed()) return plain;
    Prover prover(ranges_);
    // Factors that are above zero change nothing.
    for (const auto& atom : difference.atoms()) {
        const bool is_everywhere = difference.coefficient(*atom, 0).is_zero();
        if (!is_everywhere || difference.degree(*atom) != 1) continue;
        if (prover.is_nonnegative(SizePolynomial(atom).minus(SizePolynomial(1))))
            difference = difference.coefficient(*atom, 1);
    }
    const auto atoms = difference.atoms();
    if (atoms.size() == 1 && difference.degree(*atoms.front()) == 1) {
        const std::int64_t factor = *difference.coefficient(*atoms.front(), 1).number();
        const std::int64_t constant = *difference.coefficient(*atoms.front(), 0).number();
        const std::string& name = atoms.front()->text;
        // factor · x + constant R 0
        switch (condition.relation) {
        case SizeRelation::equal:
        case SizeRelation::not_equal:
            if (constant % factor == 0)
                return name + std::string(sign(condition.relation)) + std::to_string(-constant / factor);
            break;
        case SizeRelation::less:
        case SizeRelation::at_most: {
            const std::int64_t limit =
                -constant - (condition.relation == SizeRelation::less ? 1 : 0); // factor·x ≤ limit
            const Range range = prover.bounds(*atoms.front());
            if (factor > 0) {
                const std::int64_t most = floor_quotient(limit, factor);
                return range.minimum == most ? name + " = " + std::to_string(most)
                                             : name + " ≤ " + std::to_string(most);
            }
            const std::int64_t least = -floor_quotient(limit, -factor);
            return range.maximum == least ? name + " = " + std::to_string(least) : name + " ≥ " + std::to_string(least);
        }
        }
    }
    std::int64_t common = 0;
    for (const auto& [monomial, coefficient] : difference.terms()) common = std::gcd(common, coefficient);
    SizePolynomial positive, negative;
    for (const auto& [monomial, coefficient] : difference.terms()) {
        SizePolynomial term(std::abs(coefficient) / common);
        for (const auto& [atom, power] : monomial)
            for (int i = 0; i < power; ++i) term = term.times(SizePolynomial(atom));
        (coefficient > 0 ? positive : negative) = (coefficient > 0 ? positive : negative).plus(term);
    }
    return positive.text() + std::string(sign(condition.relation)) + negative.text();
}

std::optional<SymbolValueMap> SizeOrder::example(const std::vector<SizeCondition>& conditions, bool wanted) const {
    constexpr std::size_t most_tried = 5000;
    std::set<std::string> symbols;
    std::set<std::int64_t> numbers{0, 1, 2};
    for (const SizeCondition& condition : conditions) {
        for (const SymbolicSize* side : {&condition.left, &condition.right}) {
            const auto polynomial = SizePolynomial::of(*side);
            if (!polynomial) return std::nullopt;
            collect_symbols(*polynomial, symbols);
            collect_numbers(*polynomial, numbers);
        }
    }
    if (symbols.size() > 6) return std::nullopt;

    std::vector<std::pair<std::string, std::vector<std::int64_t>>> candidates;
    for (const std::string& symbol : symbols) {
        const auto known = ranges_.find(symbol);
        const Range range = known == ranges_.end() ? Range{} : known->second;
        const auto divisor = divisors_.find(symbol);
        std::set<std::int64_t> values;
        const auto consider = [&](std::int64_t value) {
            if (divisor != divisors_.end()) value = floor_quotient(value, divisor->second) * divisor->second;
            if (std::abs(value) < far && value >= range.minimum.value_or(-far) && value <= range.maximum.value_or(far))
                values.insert(value);
        };
        const std::int64_t low = range.minimum.value_or(0);
        for (std::int64_t step = 0; step < (symbols.size() > 3 ? 4 : 8); ++step)
            consider(low + step * (divisor == divisors_.end() ? 1 : divisor->second));
        for (const std::int64_t number : numbers) {
            if (number > far) continue;
            for (const std::int64_t near : {number - 1, number, number + 1}) consider(near);
        }
        if (range.maximum) consider(*range.maximum);
        if (!range.minimum) consider(-1);
        if (values.empty()) consider(low);
        candidates.emplace_back(symbol, std::vector(values.begin(), values.end()));
    }

    std::vector<std::size_t> choice(candidates.size(), 0);
    for (std::size_t tried = 0; tried < most_tried; ++tried) {
        SymbolValueMap values;
        for (std::size_t i = 0; i < candidates.size(); ++i) {
            if (candidates[i].second.empty()) return std::nullopt;
            values[candidates[i].first] = candidates[i].second[choice[i]];
        }
        bool all = true, is_known = true;
        for (const SizeCondition& condition : conditions) {
            const auto truth = holds(condition, values);
            if (!truth) is_known = false;
            else all = all && *truth;
        }
        if (is_known && all == wanted) return values;
        std::size_t place = 0;
        while (place < choice.size() && ++choice[place] == candidates[place].second.size()) choice[place++] = 0;
        if (place == choice.size()) break;
    }
    return std::nullopt;
}

std::optional<bool> holds(const SizeCondition& condition, const SymbolValueMap& values) {
    const auto value_of = [&](std::string_view name) -> std::optional<std::int64_t> {
        const auto found = values.find(std::string(name));
        return found == values.end() ? std::nullopt : std::optional(found->second);
    };
    const auto left = condition.left.evaluate(value_of), right = condition.right.evaluate(value_of);
    return left && right ? std::optional(compares(*left, condition.relation, *right)) : std::nullopt;
}

} // namespace inspector
