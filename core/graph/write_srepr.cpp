#include "core/graph/symbolic_size_srepr.h"

namespace inspector {
namespace {

std::string_view sympy_name(const SizeExpression& expression) {
    using Kind = SizeExpression::Kind;
    switch (expression.kind) {
    case Kind::add: return "Add";
    case Kind::multiply: return "Mul";
    case Kind::power: return "Pow";
    case Kind::floor_divide: return "FloorDiv";
    case Kind::modulo: return "PythonMod";
    case Kind::maximum: return "Max";
    case Kind::minimum: return "Min";
    case Kind::equal: return "Equality";
    case Kind::not_equal: return "Unequality";
    case Kind::less: return "StrictLessThan";
    case Kind::less_equal: return "LessThan";
    case Kind::greater: return "StrictGreaterThan";
    case Kind::greater_equal: return "GreaterThan";
    case Kind::logical_and: return "And";
    case Kind::logical_or: return "Or";
    case Kind::logical_not: return "Not";
    case Kind::integer:
    case Kind::symbol:
    case Kind::opaque: break;
    }
    return expression.text;
}

} // namespace

std::optional<std::string> srepr(const SizeExpression& expression,
                                 const std::function<std::string(const std::string&)>& symbol) {
    if (expression.kind == SizeExpression::Kind::integer) return "Integer(" + std::to_string(expression.integer) + ")";
    if (expression.kind == SizeExpression::Kind::symbol) return symbol(expression.text);
    if (expression.operands.empty()) return std::nullopt;
    std::string text(sympy_name(expression));
    for (std::size_t i = 0; i < expression.operands.size(); ++i) {
        const auto operand = srepr(*expression.operands[i], symbol);
        if (!operand) return std::nullopt;
        text += (i ? ", " : "(") + *operand;
    }
    return text + ')';
}

} // namespace inspector
