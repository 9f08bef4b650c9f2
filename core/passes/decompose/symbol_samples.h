// Finds the expression of a size that an operator computed, by computing it for several sizes of the symbols.
//
//     s = 401, 409, 419, 421:   an operator gives 802, 818, 838, 842   →   2*s
//
// Sizes of results are polynomials of few terms, which agree at all samples only where they are equal, but for a chance that
// is small since samples are large where the symbols' ranges let them. What fits no expression is unknown.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/graph/program.h"

namespace inspector {

class SymbolSamples {
public:
    static constexpr std::size_t count = 4;
    /// One number for each sample.
    using Numbers = std::array<std::int64_t, count>;

    /// Samples for every symbol in the graph's metadata and arguments, inside the ranges the file gives, above 1 where those
    /// let them.
    [[nodiscard]] static SymbolSamples of(const ProgramGraph& graph);

    [[nodiscard]] bool is_symbolic() const { return !samples_.empty(); }
    /// nullopt where an unknown function, overflow or division by zero stands in the way.
    [[nodiscard]] std::optional<std::int64_t> number(const SymbolicSize& size, std::size_t sample) const;
    [[nodiscard]] std::optional<Numbers> numbers(const SymbolicSize& size) const;
    /// Expressions of the graph are the first that are tried.
    void learn(const SymbolicSize& size);
    /// A constant; one learnt; a multiple of one, and a number more; the product or sum of two. nullopt: none of them.
    [[nodiscard]] std::optional<SymbolicSize> expression(const Numbers& numbers);

private:
    void collect(const ValueMeta& meta);
    void collect(const Argument& argument);
    void collect(const SymbolicSize& size);
    [[nodiscard]] std::optional<SymbolicSize> derive(const Numbers& numbers) const;

    std::map<std::string, Numbers, std::less<>> samples_;
    struct Known {
        Numbers numbers;
        SymbolicSize size;
    };
    std::vector<Known> known_;                 ///< in order of learning
    std::map<Numbers, std::size_t> by_numbers_;
};

/// y = first·x + second at every sample, with integers; nullopt where no such line is there, or x is constant.
[[nodiscard]] std::optional<std::pair<std::int64_t, std::int64_t>> line_through(const SymbolSamples::Numbers& x,
                                                                                const SymbolSamples::Numbers& y);

} // namespace inspector
