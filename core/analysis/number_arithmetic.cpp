#include "core/analysis/number_arithmetic.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace inspector {
namespace {

std::optional<std::int64_t> integer(const Argument& value) {
    if (const auto* number = value.as<std::int64_t>()) return *number;
    if (const auto* flag = value.as<bool>()) return *flag ? 1 : 0;
    return std::nullopt;
}

std::optional<double> real(const Argument& value) {
    if (const auto* number = value.as<double>()) return *number;
    if (const auto whole = integer(value)) return static_cast<double>(*whole);
    return std::nullopt;
}

/// Python's floor division: rounds towards minus infinity.
std::int64_t floor_quotient(std::int64_t a, std::int64_t b) {
    const std::int64_t quotient = a / b;
    return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

std::optional<Argument> to_integer(double value) {
    constexpr double limit = 9.2e18;
    if (!(std::abs(value) < limit)) return std::nullopt;
    return Argument(static_cast<std::int64_t>(value));
}

std::optional<Argument> on_integers(std::string_view name, std::int64_t a, std::int64_t b) {
    constexpr auto lowest = std::numeric_limits<std::int64_t>::min();
    std::int64_t out = 0;
    const auto checked = [&](bool overflow) { return overflow ? std::nullopt : std::optional<Argument>(out); };
    if (name == "add") return checked(__builtin_add_overflow(a, b, &out));
    if (name == "sub") return checked(__builtin_sub_overflow(a, b, &out));
    if (name == "mul") return checked(__builtin_mul_overflow(a, b, &out));
    if (name == "floordiv" || name == "mod") {
        if (b == 0 || (a == lowest && b == -1)) return std::nullopt;
        const std::int64_t quotient = floor_quotient(a, b);
        return Argument(name == "mod" ? a - quotient * b : quotient);
    }
    if (name == "and_") return Argument(a & b);
    if (name == "or_") return Argument(a | b);
    if (name == "sym_max") return Argument(std::max(a, b));
    if (name == "sym_min") return Argument(std::min(a, b));
    return std::nullopt;
}

std::optional<Argument> on_reals(std::string_view name, double a, double b) {
    if (name == "eq") return Argument(a == b);
    if (name == "ne") return Argument(a != b);
    if (name == "lt") return Argument(a < b);
    if (name == "le") return Argument(a <= b);
    if (name == "gt") return Argument(a > b);
    if (name == "ge") return Argument(a >= b);
    if (name == "add") return Argument(a + b);
    if (name == "sub") return Argument(a - b);
    if (name == "mul") return Argument(a * b);
    if (name == "pow") return Argument(std::pow(a, b));
    if (b != 0 && name == "truediv") return Argument(a / b);
    if (b != 0 && name == "floordiv") return Argument(std::floor(a / b));
    if (name == "sym_max") return Argument(std::max(a, b));
    if (name == "sym_min") return Argument(std::min(a, b));
    return std::nullopt;
}

std::optional<Argument> on_one(std::string_view name, const Argument& operand) {
    const auto whole = integer(operand);
    const auto value = real(operand);
    if (!value) return std::nullopt;
    if (name == "neg" && whole && *whole != std::numeric_limits<std::int64_t>::min()) return Argument(-*whole);
    if (name == "neg") return Argument(-*value);
    if (name == "not_" || name == "sym_not") return Argument(*value == 0);
    if (name == "sym_int" || name == "trunc") return whole ? Argument(*whole) : to_integer(std::trunc(*value));
    if (name == "ceil") return whole ? Argument(*whole) : to_integer(std::ceil(*value));
    if (name == "floor") return whole ? Argument(*whole) : to_integer(std::floor(*value));
    if (name == "sym_float") return Argument(*value);
    if (*value >= 0 && (name == "sqrt" || name == "_sym_sqrt")) return Argument(std::sqrt(*value));
    return std::nullopt;
}

} // namespace

std::optional<Argument> compute_number(std::string_view target, const std::vector<Argument>& operands) {
    const auto dot = target.rfind('.');
    if (dot == std::string_view::npos) return std::nullopt;
    const std::string_view module = target.substr(0, dot);
    const std::string_view name = target.substr(dot + 1);
    if (module != "operator" && module != "_operator" && module != "math" && module != "torch") return std::nullopt;
    if (operands.size() == 1) return on_one(name, operands[0]);
    if (operands.size() != 2) return std::nullopt;
    const auto a = integer(operands[0]), b = integer(operands[1]);
    if (a && b)
        if (auto result = on_integers(name, *a, *b)) return result;
    const auto x = real(operands[0]), y = real(operands[1]);
    if (!x || !y ||
        (a && b && (name == "add" || name == "sub" || name == "mul" || name == "pow" || name == "floordiv")))
        return std::nullopt;
    return on_reals(name, *x, *y);
}

} // namespace inspector
