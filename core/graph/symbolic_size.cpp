#include "core/graph/symbolic_size.h"

#include <compare>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <set>
#include <utility>

namespace inspector {
namespace {

using Kind = SizeExpression::Kind;
using SymbolValue = std::function<std::optional<std::int64_t>(std::string_view)>;

/// An exact quotient in lowest terms with a positive denominator: s0/2 + 1/2 may well be an integer.
struct Rational {
    std::int64_t numerator = 0;
    std::int64_t denominator = 1;
};

std::optional<std::int64_t> product(std::int64_t a, std::int64_t b) {
    std::int64_t result = 0;
    return __builtin_mul_overflow(a, b, &result) ? std::nullopt : std::optional(result);
}

std::optional<Rational> make_rational(std::int64_t numerator, std::int64_t denominator) {
    constexpr auto lowest = std::numeric_limits<std::int64_t>::min();
    if (denominator == 0 || numerator == lowest || denominator == lowest) return std::nullopt;
    const std::int64_t divisor = std::gcd(numerator, denominator) * (denominator < 0 ? -1 : 1);
    return Rational{numerator / divisor, denominator / divisor};
}

std::optional<Rational> add(Rational a, Rational b) {
    const auto left = product(a.numerator, b.denominator);
    const auto right = product(b.numerator, a.denominator);
    const auto denominator = product(a.denominator, b.denominator);
    std::int64_t numerator = 0;
    if (!left || !right || !denominator || __builtin_add_overflow(*left, *right, &numerator)) return std::nullopt;
    return make_rational(numerator, *denominator);
}

std::optional<Rational> multiply(Rational a, Rational b) {
    const auto numerator = product(a.numerator, b.numerator);
    const auto denominator = product(a.denominator, b.denominator);
    if (!numerator || !denominator) return std::nullopt;
    return make_rational(*numerator, *denominator);
}

std::optional<Rational> invert(Rational value) { return make_rational(value.denominator, value.numerator); }

std::int64_t floor(Rational value) {
    const std::int64_t quotient = value.numerator / value.denominator;
    return quotient - (value.numerator % value.denominator < 0 ? 1 : 0);
}

std::optional<Rational> floor_divide(Rational a, Rational b) {
    const auto inverse = invert(b);
    const auto quotient = inverse ? multiply(a, *inverse) : std::nullopt;
    return quotient ? make_rational(floor(*quotient), 1) : std::nullopt;
}

std::optional<Rational> power(Rational base, Rational exponent) {
    if (exponent.denominator != 1) return std::nullopt;
    std::optional<Rational> factor = base;
    if (exponent.numerator < 0) factor = invert(base);
    std::optional<Rational> result = Rational{1, 1};
    for (std::int64_t left = std::abs(exponent.numerator); left > 0 && result; left /= 2) {
        if (!factor) return std::nullopt;
        if (left % 2 == 1) result = multiply(*result, *factor);
        if (left > 1) factor = multiply(*factor, *factor);
    }
    return result;
}

std::strong_ordering compare(Rational a, Rational b) {
    __extension__ using Wide = __int128;
    const Wide left = static_cast<Wide>(a.numerator) * b.denominator;
    const Wide right = static_cast<Wide>(b.numerator) * a.denominator;
    return left < right ? std::strong_ordering::less
                        : left > right ? std::strong_ordering::greater : std::strong_ordering::equal;
}

std::optional<Rational> combine(Kind kind, Rational a, Rational b) {
    const auto truth = [](bool holds) { return Rational{holds ? 1 : 0, 1}; };
    const std::strong_ordering order = compare(a, b);
    switch (kind) {
    case Kind::add: return add(a, b);
    case Kind::multiply: return multiply(a, b);
    case Kind::power: return power(a, b);
    case Kind::floor_divide: return floor_divide(a, b);
    case Kind::modulo: {
        const auto quotient = floor_divide(a, b);
        const auto covered = quotient ? multiply({-quotient->numerator, 1}, b) : std::nullopt;
        return covered ? add(a, *covered) : std::nullopt;
    }
    case Kind::maximum: return order < 0 ? b : a;
    case Kind::minimum: return order > 0 ? b : a;
    case Kind::equal: return truth(order == 0);
    case Kind::not_equal: return truth(order != 0);
    case Kind::less: return truth(order < 0);
    case Kind::less_equal: return truth(order <= 0);
    case Kind::greater: return truth(order > 0);
    case Kind::greater_equal: return truth(order >= 0);
    case Kind::logical_and: return truth(a.numerator != 0 && b.numerator != 0);
    case Kind::logical_or: return truth(a.numerator != 0 || b.numerator != 0);
    case Kind::integer:
    case Kind::symbol:
    case Kind::logical_not:
    case Kind::opaque: return std::nullopt;
    }
    return std::nullopt;
}

std::optional<Rational> value_of_expression(const SizeExpression& expression, const SymbolValue& value_of) {
    switch (expression.kind) {
    case Kind::integer: return make_rational(expression.integer, 1);
    case Kind::symbol: {
        const auto value = value_of(expression.text);
        return value ? make_rational(*value, 1) : std::nullopt;
    }
    case Kind::opaque: return std::nullopt;
    default: break;
    }
    std::optional<Rational> result;
    for (const auto& operand : expression.operands) {
        const auto value = value_of_expression(*operand, value_of);
        if (!value) return std::nullopt;
        result = result ? combine(expression.kind, *result, *value) : value;
        if (!result) return std::nullopt;
    }
    if (expression.kind == Kind::logical_not && result) return Rational{result->numerator == 0 ? 1 : 0, 1};
    return result;
}

void collect_symbols(const SizeExpression& expression, std::set<std::string>& names) {
    if (expression.kind == Kind::symbol) names.insert(expression.text);
    for (const auto& operand : expression.operands) collect_symbols(*operand, names);
}

} // namespace

SymbolicSize::SymbolicSize(std::shared_ptr<const SizeExpression> expression, std::string printed,
                           std::optional<std::int64_t> hint)
    : symbolic_(std::make_shared<const Symbolic>(Symbolic{std::move(expression), std::move(printed), hint})) {}

std::optional<std::int64_t> SymbolicSize::constant() const {
    return is_constant() ? std::optional(value_) : std::nullopt;
}

std::optional<std::int64_t> SymbolicSize::hint() const { return is_constant() ? std::optional(value_) : symbolic_->hint; }

SymbolicSize SymbolicSize::with_hint(std::optional<std::int64_t> hint) const {
    return is_constant() ? *this : SymbolicSize(symbolic_->expression, symbolic_->printed, hint);
}

std::optional<std::int64_t> SymbolicSize::evaluate(const SymbolValue& value_of) const {
    if (is_constant()) return value_;
    const auto value = value_of_expression(*symbolic_->expression, value_of);
    if (!value || value->denominator != 1) return std::nullopt;
    return value->numerator;
}

std::vector<std::string> SymbolicSize::symbols() const {
    std::set<std::string> names;
    if (symbolic_) collect_symbols(*symbolic_->expression, names);
    return {names.begin(), names.end()};
}

std::string SymbolicSize::to_string() const { return is_constant() ? std::to_string(value_) : symbolic_->printed; }

bool operator==(const SymbolicSize& a, const SymbolicSize& b) {
    if (a.is_constant() || b.is_constant()) return a.is_constant() && b.is_constant() && a.value_ == b.value_;
    return a.symbolic_ == b.symbolic_ || a.symbolic_->printed == b.symbolic_->printed;
}

} // namespace inspector
