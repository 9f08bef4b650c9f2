#include "core/graph/symbolic_arithmetic.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/graph/symbolic_size_srepr.h"

namespace inspector {
namespace {

using Kind = SizeExpression::Kind;
using Expression = std::shared_ptr<const SizeExpression>;
using Number = std::optional<std::int64_t>;

Number add(std::int64_t a, std::int64_t b) {
    std::int64_t result = 0;
    return __builtin_add_overflow(a, b, &result) ? std::nullopt : Number(result);
}

Number multiply(std::int64_t a, std::int64_t b) {
    std::int64_t result = 0;
    return __builtin_mul_overflow(a, b, &result) ? std::nullopt : Number(result);
}

std::optional<std::string> text_of(const SizeExpression& expression) {
    return srepr(expression, [](const std::string& name) { return "Symbol('" + name + "')"; });
}

Expression integer(std::int64_t value) { return std::make_shared<const SizeExpression>(SizeExpression{Kind::integer, value, {}, {}}); }

Expression node(Kind kind, std::vector<Expression> operands) {
    return std::make_shared<const SizeExpression>(SizeExpression{kind, 0, {}, std::move(operands)});
}

Expression expression_of(const SymbolicSize& size) {
    return size.is_constant() ? integer(*size.constant()) : std::make_shared<const SizeExpression>(*size.expression());
}

/// A factor to an integer power, or a product of factors times an integer: `number` is the exponent or the coefficient.
struct Part {
    std::string text; ///< of `of`; equal texts are collected
    Expression of;
    std::int64_t number = 0;
};

bool collect(std::vector<Part>& parts, Expression of, std::int64_t number) {
    auto text = text_of(*of);
    if (!text) return false;
    const auto known = std::ranges::find(parts, *text, &Part::text);
    if (known == parts.end()) {
        parts.push_back({std::move(*text), std::move(of), number});
        return true;
    }
    const Number together = add(known->number, number);
    if (together) known->number = *together;
    return together.has_value();
}

/// number · factor^exponent · …
struct Product {
    std::int64_t number = 1;
    std::vector<Part> factors;

    bool take(const Expression& expression) {
        if (expression->kind == Kind::multiply)
            return std::ranges::all_of(expression->operands, [&](const Expression& each) { return take(each); });
        if (expression->kind == Kind::integer) {
            const Number scaled = multiply(number, expression->integer);
            if (scaled) number = *scaled;
            return scaled.has_value();
        }
        const bool is_power = expression->kind == Kind::power && expression->operands[1]->kind == Kind::integer;
        return is_power ? collect(factors, expression->operands[0], expression->operands[1]->integer)
                        : collect(factors, expression, 1);
    }

    /// Without the number; null where no factor is left.
    [[nodiscard]] Expression rest() const {
        std::vector<Expression> powers;
        for (const Part& factor : factors) {
            if (factor.number == 0) continue;
            powers.push_back(factor.number == 1 ? factor.of : node(Kind::power, {factor.of, integer(factor.number)}));
        }
        if (powers.empty()) return nullptr;
        return powers.size() == 1 ? powers.front() : node(Kind::multiply, std::move(powers));
    }
};

/// sympy's order of terms: by the power of the first factor by name, then of the next; the highest first.
bool stands_before(const Part& a, const Part& b) {
    const auto factors_of = [](const Part& term) {
        Product product;
        product.take(term.of);
        std::ranges::sort(product.factors, {}, &Part::text);
        return product.factors;
    };
    const std::vector<Part> left = factors_of(a), right = factors_of(b);
    for (std::size_t i = 0; i < std::min(left.size(), right.size()); ++i) {
        if (left[i].text != right[i].text) return left[i].text < right[i].text;
        if (left[i].number != right[i].number) return left[i].number > right[i].number;
    }
    return left.size() > right.size();
}

Expression scaled(const Expression& of, std::int64_t number) {
    if (number == 1) return of;
    std::vector<Expression> factors{integer(number)};
    if (of->kind == Kind::multiply) factors.insert(factors.end(), of->operands.begin(), of->operands.end());
    else factors.push_back(of);
    return node(Kind::multiply, std::move(factors));
}

/// number + coefficient · product + …
struct Sum {
    std::int64_t number = 0;
    std::vector<Part> terms;

    /// Adds `times` · expression.
    bool take(const Expression& expression, std::int64_t times) {
        if (expression->kind == Kind::add)
            return std::ranges::all_of(expression->operands, [&](const Expression& each) { return take(each, times); });
        Product product{times, {}};
        if (!product.take(expression)) return false;
        if (const Expression rest = product.rest())
            return rest->kind == Kind::add ? take(rest, product.number) : collect(terms, rest, product.number);
        const Number together = add(number, product.number);
        if (together) number = *together;
        return together.has_value();
    }

    [[nodiscard]] Expression expression() const {
        std::vector<Part> ordered = terms;
        std::ranges::stable_sort(ordered, stands_before);
        std::vector<Expression> all;
        for (const Part& term : ordered)
            if (term.number != 0) all.push_back(scaled(term.of, term.number));
        if (number != 0 || all.empty()) all.push_back(integer(number));
        return all.size() == 1 ? all.front() : node(Kind::add, std::move(all));
    }
};

std::optional<SymbolicSize> size_of(const Expression& expression, Number hint) {
    if (expression->kind == Kind::integer) return expression->integer;
    const auto text = text_of(*expression);
    if (!text) return std::nullopt;
    auto size = SymbolicSize::parse_srepr(*text, hint);
    return size ? std::optional(std::move(*size)) : std::nullopt;
}

Number hint_of(const SymbolicSize& a, const SymbolicSize& b, Number (*combine)(std::int64_t, std::int64_t)) {
    return a.hint() && b.hint() ? combine(*a.hint(), *b.hint()) : std::nullopt;
}

} // namespace

std::optional<SymbolicSize> sum(const SymbolicSize& a, const SymbolicSize& b) {
    Sum sum;
    if (!sum.take(expression_of(a), 1) || !sum.take(expression_of(b), 1)) return std::nullopt;
    return size_of(sum.expression(), hint_of(a, b, add));
}

std::optional<SymbolicSize> product(const SymbolicSize& a, const SymbolicSize& b) {
    Product product;
    if (!product.take(expression_of(a)) || !product.take(expression_of(b))) return std::nullopt;
    Sum sum;
    const Expression rest = product.number == 0 ? nullptr : product.rest();
    if (!rest) sum.number = product.number;
    else if (!sum.take(rest, product.number)) return std::nullopt;
    return size_of(sum.expression(), hint_of(a, b, multiply));
}

std::optional<std::vector<SymbolicSize>> contiguous_strides(const std::vector<SymbolicSize>& sizes) {
    std::vector<SymbolicSize> strides(sizes.size());
    std::int64_t stride = 1;
    for (std::size_t i = sizes.size(); i-- > 0;) {
        strides[i] = stride;
        const auto size = sizes[i].constant();
        if (i > 0 && (!size || *size < 0 || __builtin_mul_overflow(stride, std::max<std::int64_t>(*size, 1), &stride)))
            return std::nullopt;
    }
    return strides;
}

} // namespace inspector
