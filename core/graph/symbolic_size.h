// A size, stride or offset: an integer, or an expression over symbols (s13, u0) that is kept as an expression.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/result.h"

namespace inspector {

/// Immutable expression over integer symbols. Shared, never changed. At most `depth_limit` deep.
struct SizeExpression {
    enum class Kind : std::uint8_t {
        integer, symbol, add, multiply, power, floor_divide, modulo, maximum, minimum,
        equal, not_equal, less, less_equal, greater, greater_equal, logical_and, logical_or, logical_not,
        opaque, ///< a function this program does not know, a float: its text, and its arguments as operands
    };
    static constexpr int depth_limit = 200;

    Kind kind = Kind::integer;
    std::int64_t integer = 0;
    std::string text; ///< symbol's name, or the name of an opaque function
    /// add, multiply, maximum, minimum, logical_and, logical_or: two or more; relations, power, floor_divide and
    /// modulo: two. a - b is a + -1*b, a/b is a * b**-1.
    std::vector<std::shared_ptr<const SizeExpression>> operands;
};

class SymbolicSize {
public:
    SymbolicSize() = default;
    SymbolicSize(std::int64_t value) : value_(value) {} // implicit on purpose: most sizes are plain integers
    /// `printed` is the text sympy's str() gives, which print_readable shows ("s27 - (((s27 + 1)//2))").
    SymbolicSize(std::shared_ptr<const SizeExpression> expression, std::string printed,
                 std::optional<std::int64_t> hint);

    /// Parses sympy's str() form, as in FX text: "16*s13", "Max(1, ((s27 + 1)//2))", "u0 >= 0". Printed as it stands.
    /// Fails on text that is no such expression or is nested deeper than SizeExpression::depth_limit.
    static Result<SymbolicSize> parse(std::string_view text);
    /// Parses sympy's srepr form, as in .pt2: "Mul(Integer(2), Symbol('s77', positive=True, integer=True))".
    /// Printed as sympy's str() would print it, FloorDiv as torch.utils._sympy.functions does.
    static Result<SymbolicSize> parse_srepr(std::string_view text, std::optional<std::int64_t> hint);

    [[nodiscard]] bool is_constant() const { return !symbolic_; }
    [[nodiscard]] std::optional<std::int64_t> constant() const;
    /// The constant, else the sample size the file recorded for the expression.
    [[nodiscard]] std::optional<std::int64_t> hint() const;
    /// The same with another sample size; a constant stays as it is.
    [[nodiscard]] SymbolicSize with_hint(std::optional<std::int64_t> hint) const;
    /// Null for a constant.
    [[nodiscard]] const SizeExpression* expression() const { return symbolic_ ? symbolic_->expression.get() : nullptr; }
    /// Value with every symbol given by `value_of`; nullopt where a symbol is unknown, on overflow, on division
    /// by zero and for opaque functions.
    [[nodiscard]] std::optional<std::int64_t>
    evaluate(const std::function<std::optional<std::int64_t>(std::string_view)>& value_of) const;
    /// Names of the symbols in it, sorted, each once.
    [[nodiscard]] std::vector<std::string> symbols() const;
    /// As print_readable writes it.
    [[nodiscard]] std::string to_string() const;

    /// Same constant or same printed expression (not: provably equal).
    friend bool operator==(const SymbolicSize& a, const SymbolicSize& b);

private:
    struct Symbolic {
        std::shared_ptr<const SizeExpression> expression;
        std::string printed;
        std::optional<std::int64_t> hint;
    };
    std::int64_t value_ = 0;
    std::shared_ptr<const Symbolic> symbolic_; ///< null for a constant
};

/// What a file says of a symbol.
struct SymbolRange {
    std::string symbol;
    std::optional<std::int64_t> minimum; ///< nullopt: unbounded
    std::optional<std::int64_t> maximum;
    friend bool operator==(const SymbolRange&, const SymbolRange&) = default;
};

} // namespace inspector
