#include "core/graph/size_polynomial.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "core/graph/symbolic_size_srepr.h"

namespace inspector {
namespace {

__extension__ using Wide = __int128;
using Kind = SizeExpression::Kind;
using Atom = std::shared_ptr<const SizeAtom>;

constexpr std::int64_t number_limit = std::int64_t{1} << 62;
constexpr int power_limit = 4;
constexpr std::size_t term_limit = 200;

std::int64_t floor_quotient(std::int64_t a, std::int64_t b) {
    const std::int64_t quotient = a / b;
    return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

SizePolynomial floor_divided(const SizePolynomial& numerator, std::int64_t divisor) {
    SizePolynomial whole, rest;
    for (const auto& [monomial, coefficient] : numerator.terms()) {
        const std::int64_t quotient = floor_quotient(coefficient, divisor);
        SizePolynomial term(1);
        for (const auto& [atom, power] : monomial)
            for (int i = 0; i < power; ++i) term = term.times(SizePolynomial(atom));
        whole = whole.plus(term, quotient);
        rest = rest.plus(term, coefficient - quotient * divisor);
    }
    if (const auto number = rest.number()) return whole.plus(SizePolynomial(floor_quotient(*number, divisor)));
    const std::string text = "((" + rest.text() + ")//" + std::to_string(divisor) + ")";
    return whole.plus(SizePolynomial(std::make_shared<const SizeAtom>(
        SizeAtom{.kind = SizeAtom::Kind::floor, .text = text, .operands = {rest}, .divisor = divisor})));
}

/// Something that is only known to be the same wherever it stands.
SizePolynomial opaque(const SizeExpression& expression) {
    const auto text = srepr(expression, [](const std::string& name) { return "Symbol('" + name + "')"; });
    SizeAtom atom{.kind = SizeAtom::Kind::opaque, .text = text.value_or("?")};
    if (text)
        if (auto size = SymbolicSize::parse_srepr(*text, std::nullopt)) {
            atom.text = size->to_string();
            atom.size = std::move(*size);
        }
    if (atom.text.find(' ') != std::string::npos) atom.text = '(' + atom.text + ')';
    return SizePolynomial(std::make_shared<const SizeAtom>(std::move(atom)));
}

bool is_known_opaque(const SizeExpression& expression) {
    return srepr(expression, [](const std::string& name) { return "Symbol('" + name + "')"; }).has_value();
}

std::optional<SizePolynomial> polynomial(const SizeExpression& expression) {
    std::vector<SizePolynomial> operands;
    const bool is_arithmetic = expression.kind != Kind::opaque && expression.kind < Kind::equal;
    if (!is_arithmetic) {
        if (expression.kind == Kind::opaque && !expression.operands.empty() && is_known_opaque(expression))
            return opaque(expression);
        return std::nullopt;
    }
    if (expression.kind == Kind::integer) return SizePolynomial(expression.integer);
    if (expression.kind == Kind::symbol)
        return SizePolynomial(
            std::make_shared<const SizeAtom>(SizeAtom{.kind = SizeAtom::Kind::symbol, .text = expression.text}));
    for (const auto& operand : expression.operands) {
        auto value = polynomial(*operand);
        if (!value || value->overflowed()) return std::nullopt;
        operands.push_back(std::move(*value));
    }
    SizePolynomial result = operands.front();
    switch (expression.kind) {
    case Kind::add:
        for (std::size_t i = 1; i < operands.size(); ++i) result = result.plus(operands[i]);
        return result;
    case Kind::multiply:
        for (std::size_t i = 1; i < operands.size(); ++i) result = result.times(operands[i]);
        return result;
    case Kind::power: {
        const auto exponent = operands[1].number();
        if (!exponent || *exponent < 0) return opaque(expression);
        if (*exponent > power_limit) return std::nullopt;
        result = SizePolynomial(1);
        for (std::int64_t i = 0; i < *exponent; ++i) result = result.times(operands[0]);
        return result;
    }
    case Kind::floor_divide:
    case Kind::modulo: {
        const auto divisor = operands[1].number();
        if (!divisor || *divisor <= 0) return opaque(expression);
        const SizePolynomial quotient = floor_divided(operands[0], *divisor);
        return expression.kind == Kind::floor_divide ? quotient : operands[0].plus(quotient, -*divisor);
    }
    case Kind::maximum:
    case Kind::minimum: {
        const bool is_maximum = expression.kind == Kind::maximum;
        std::string text = is_maximum ? "Max(" : "Min(";
        for (std::size_t i = 0; i < operands.size(); ++i) text += (i ? ", " : "") + operands[i].text();
        return SizePolynomial(std::make_shared<const SizeAtom>(
            SizeAtom{.kind = is_maximum ? SizeAtom::Kind::maximum : SizeAtom::Kind::minimum,
                     .text = text + ')',
                     .operands = operands}));
    }
    default: return std::nullopt;
    }
}

std::optional<std::int64_t> value_of(const SizeAtom& atom, const std::map<std::string, std::int64_t>& symbols) {
    if (atom.kind == SizeAtom::Kind::symbol) {
        const auto found = symbols.find(atom.text);
        return found == symbols.end() ? std::nullopt : std::optional(found->second);
    }
    if (atom.kind == SizeAtom::Kind::opaque && atom.size)
        return atom.size->evaluate([&](std::string_view name) -> std::optional<std::int64_t> {
            const auto found = symbols.find(std::string(name));
            return found == symbols.end() ? std::nullopt : std::optional(found->second);
        });
    std::optional<std::int64_t> result;
    for (const SizePolynomial& operand : atom.operands) {
        const auto value = operand.evaluate(symbols);
        if (!value) return std::nullopt;
        if (atom.kind == SizeAtom::Kind::floor) return floor_quotient(*value, atom.divisor);
        if (!result) result = value;
        else result = atom.kind == SizeAtom::Kind::maximum ? std::max(*result, *value) : std::min(*result, *value);
    }
    return result;
}

} // namespace

bool SizePolynomial::ByText::operator()(const Monomial& a, const Monomial& b) const {
    return std::ranges::lexicographical_compare(a, b, [](const Factor& x, const Factor& y) {
        return std::pair(std::string_view(x.first->text), -x.second) <
               std::pair(std::string_view(y.first->text), -y.second);
    });
}

SizePolynomial::SizePolynomial(std::int64_t number) { add({}, number); }
SizePolynomial::SizePolynomial(Atom atom) { terms_[{{std::move(atom), 1}}] = 1; }

std::optional<SizePolynomial> SizePolynomial::of(const SymbolicSize& size) {
    auto result = size.is_constant() ? std::optional(SizePolynomial(*size.constant())) : polynomial(*size.expression());
    return result && !result->overflowed() ? result : std::nullopt;
}

void SizePolynomial::add(const Monomial& monomial, std::int64_t coefficient) {
    if (coefficient == 0) return;
    const auto [place, is_new] = terms_.try_emplace(monomial, 0);
    const Wide sum = Wide(place->second) + coefficient;
    if (sum > number_limit || sum < -number_limit || terms_.size() > term_limit) {
        overflowed_ = true;
        terms_.clear();
        return;
    }
    place->second = static_cast<std::int64_t>(sum);
    if (place->second == 0) terms_.erase(place);
}

std::optional<std::int64_t> SizePolynomial::number() const {
    if (overflowed_) return std::nullopt;
    if (terms_.empty()) return 0;
    return terms_.size() == 1 && terms_.begin()->first.empty() ? std::optional(terms_.begin()->second) : std::nullopt;
}

std::vector<Atom> SizePolynomial::atoms() const {
    std::map<std::string_view, Atom> found;
    for (const auto& [monomial, coefficient] : terms_)
        for (const auto& [atom, power] : monomial) found.emplace(atom->text, atom);
    std::vector<Atom> list;
    for (auto& [text, atom] : found) list.push_back(std::move(atom));
    return list;
}

int SizePolynomial::degree(const SizeAtom& wanted) const {
    int degree = 0;
    for (const auto& [monomial, coefficient] : terms_)
        for (const auto& [atom, power] : monomial)
            if (atom->text == wanted.text) degree = std::max(degree, power);
    return degree;
}

SizePolynomial SizePolynomial::coefficient(const SizeAtom& wanted, int power) const {
    SizePolynomial result;
    result.overflowed_ = overflowed_;
    for (const auto& [monomial, coefficient] : terms_) {
        const auto place =
            std::ranges::find_if(monomial, [&](const Factor& factor) { return factor.first->text == wanted.text; });
        if ((place == monomial.end() ? 0 : place->second) != power) continue;
        Monomial rest;
        for (const Factor& factor : monomial)
            if (factor.first->text != wanted.text) rest.push_back(factor);
        result.add(rest, coefficient);
    }
    return result;
}

SizePolynomial SizePolynomial::substituted(const SizeAtom& atom, const SizePolynomial& value,
                                           std::int64_t scale) const {
    const int highest = degree(atom);
    SizePolynomial result;
    SizePolynomial power(1);
    for (int i = 0; i <= highest; ++i) {
        SizePolynomial part = coefficient(atom, i).times(power);
        for (int j = i; j < highest; ++j) part = part.times(scale);
        result = result.plus(part);
        power = power.times(value);
    }
    result.overflowed_ |= overflowed_;
    return result;
}

SizePolynomial SizePolynomial::plus(const SizePolynomial& other, std::int64_t times) const {
    SizePolynomial result = *this;
    result.overflowed_ |= other.overflowed_;
    for (const auto& [monomial, coefficient] : other.terms_) {
        const Wide scaled = Wide(coefficient) * times;
        if (scaled > number_limit || scaled < -number_limit) result.overflowed_ = true;
        else result.add(monomial, static_cast<std::int64_t>(scaled));
    }
    return result;
}

SizePolynomial SizePolynomial::times(const SizePolynomial& other) const {
    SizePolynomial result;
    result.overflowed_ = overflowed_ || other.overflowed_;
    for (const auto& [left, a] : terms_) {
        for (const auto& [right, b] : other.terms_) {
            const Wide product = Wide(a) * b;
            std::map<std::string_view, Factor> factors;
            for (const Monomial* monomial : {&left, &right})
                for (const Factor& factor : *monomial) {
                    const auto [place, is_new] = factors.try_emplace(factor.first->text, factor);
                    if (!is_new) place->second.second += factor.second;
                }
            Monomial together;
            for (auto& [text, factor] : factors) together.push_back(std::move(factor));
            const bool fits = product <= number_limit && product >= -number_limit;
            if (!fits) result.overflowed_ = true;
            else result.add(together, static_cast<std::int64_t>(product));
        }
    }
    return result;
}

std::int64_t SizePolynomial::content() const {
    std::int64_t divisor = 0;
    for (const auto& [monomial, coefficient] : terms_)
        if (!monomial.empty()) divisor = std::gcd(divisor, coefficient);
    return divisor;
}

std::string SizePolynomial::text() const {
    std::string text;
    const auto add_term = [&](const Monomial& monomial, std::int64_t coefficient) {
        const std::int64_t size = std::abs(coefficient);
        if (text.empty()) text = coefficient < 0 ? "-" : "";
        else text += coefficient < 0 ? " - " : " + ";
        if (monomial.empty() || size != 1) text += std::to_string(size);
        bool is_first = size == 1;
        for (const auto& [atom, power] : monomial) {
            text += (is_first ? "" : "*") + atom->text + (power == 1 ? "" : "**" + std::to_string(power));
            is_first = false;
        }
    };
    for (const auto& [monomial, coefficient] : terms_)
        if (!monomial.empty()) add_term(monomial, coefficient);
    if (const auto constant = terms_.find({}); constant != terms_.end()) add_term({}, constant->second);
    return text.empty() ? "0" : text;
}

std::optional<std::int64_t> SizePolynomial::evaluate(const std::map<std::string, std::int64_t>& symbols) const {
    if (overflowed_) return std::nullopt;
    Wide sum = 0;
    for (const auto& [monomial, coefficient] : terms_) {
        Wide term = coefficient;
        for (const auto& [atom, power] : monomial) {
            const auto value = value_of(*atom, symbols);
            if (!value) return std::nullopt;
            for (int i = 0; i < power; ++i) {
                term *= *value;
                if (term > number_limit || term < -number_limit) return std::nullopt;
            }
        }
        sum += term;
        if (sum > number_limit || sum < -number_limit) return std::nullopt;
    }
    return static_cast<std::int64_t>(sum);
}

} // namespace inspector
