// Which of two sizes is larger, or whether they are equal, for all values that their symbols may take.
//
// What it decides: sums, products, floor division and modulo by a number, maximum and minimum, over symbols with ranges.
// What it does not: division by a symbol, powers above 4, and inequalities that need more than each symbol's ends and the
// signs of coefficients. Then the answer is `unknown`, never a guess.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/graph/size_condition.h"
#include "core/graph/symbolic_size.h"

namespace inspector {

enum class Truth : std::uint8_t {
    always,
    never,
    depends, ///< it holds at some values in range, and fails at others
    unknown,
};

class SizeOrder {
public:
    struct Range {
        std::optional<std::int64_t> minimum, maximum; ///< nullopt: unbounded
    };

    /// Symbols without a range may be any integer.
    explicit SizeOrder(std::map<std::string, Range> ranges = {}) : ranges_(std::move(ranges)) {}

    /// Symbols that are a multiple: `symbol` is divisible by `divisor`.
    void assume_divisible(const std::string& symbol, std::int64_t divisor);

    [[nodiscard]] Truth decide(const SizeCondition& condition) const;
    [[nodiscard]] Truth equal(const SymbolicSize& a, const SymbolicSize& b) const { return decide({a, SizeRelation::equal, b}); }
    [[nodiscard]] bool surely_equal(const SymbolicSize& a, const SymbolicSize& b) const { return equal(a, b) == Truth::always; }
    [[nodiscard]] bool surely_at_most(const SymbolicSize& a, const SymbolicSize& b) const {
        return decide({a, SizeRelation::at_most, b}) == Truth::always;
    }
    [[nodiscard]] bool surely_less(const SymbolicSize& a, const SymbolicSize& b) const {
        return decide({a, SizeRelation::less, b}) == Truth::always;
    }

    /// The condition in its shortest form that holds at the same values in range: "s0 ≥ 2", "s1 = 2*s0".
    [[nodiscard]] std::string text(const SizeCondition& condition) const;
    /// Values in range at which all the conditions hold (or, where `holds` is false, one of them does not), each symbol of
    /// theirs given one; nullopt: none was found among a few hundred near the numbers in them.
    [[nodiscard]] std::optional<SymbolValueMap> example(const std::vector<SizeCondition>& conditions, bool holds) const;

    [[nodiscard]] const std::map<std::string, Range>& ranges() const { return ranges_; }

private:
    std::map<std::string, Range> ranges_;
    std::map<std::string, std::int64_t> divisors_;
};

} // namespace inspector
