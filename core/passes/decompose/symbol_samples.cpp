#include "core/passes/decompose/symbol_samples.h"

#include <algorithm>
#include <limits>

#include "core/graph/symbolic_arithmetic.h"

namespace inspector {
namespace {

constexpr std::array<std::int64_t, 24> primes{401, 409, 419, 421, 431, 433, 439, 443, 449, 457, 461, 463,
                                              467, 479, 487, 491, 499, 503, 509, 521, 523, 541, 547, 557};

/// Sizes that are no round numbers, and other ones for each symbol.
SymbolSamples::Numbers samples_in(const SymbolRange& range, std::size_t symbol) {
    constexpr std::int64_t limit = std::numeric_limits<std::int64_t>::max() / 4;
    const std::int64_t lowest = std::clamp<std::int64_t>(range.minimum.value_or(2), 2, limit);
    const std::int64_t highest = std::max(std::min(range.maximum.value_or(limit), limit), lowest);
    const std::int64_t width = highest - lowest;
    SymbolSamples::Numbers numbers{};
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const std::size_t place = symbol * numbers.size() + i;
        const std::int64_t offset = primes[place % primes.size()] + static_cast<std::int64_t>(place / primes.size()) * 1000;
        numbers[i] = lowest + (offset <= width ? offset : offset % (width + 1));
    }
    // A range of few sizes may fall on one of them: two that differ are what tells a symbol from a constant.
    if (width > 0 && std::ranges::count(numbers, numbers[0]) == static_cast<std::ptrdiff_t>(numbers.size()))
        numbers[1] = numbers[0] == highest ? lowest : numbers[0] + 1;
    return numbers;
}

} // namespace

std::optional<std::pair<std::int64_t, std::int64_t>> line_through(const SymbolSamples::Numbers& x,
                                                                  const SymbolSamples::Numbers& y) {
    for (std::size_t i = 1; i < x.size(); ++i) {
        if (x[i] == x[0]) continue;
        if ((y[i] - y[0]) % (x[i] - x[0]) != 0) return std::nullopt;
        const std::int64_t slope = (y[i] - y[0]) / (x[i] - x[0]);
        std::int64_t scaled = 0;
        if (slope == 0 || __builtin_mul_overflow(slope, x[0], &scaled)) return std::nullopt;
        const std::int64_t start = y[0] - scaled;
        for (std::size_t k = 0; k < x.size(); ++k) {
            std::int64_t value = 0;
            if (__builtin_mul_overflow(slope, x[k], &value) || __builtin_add_overflow(value, start, &value) || value != y[k])
                return std::nullopt;
        }
        return std::pair(slope, start);
    }
    return std::nullopt;
}

SymbolSamples SymbolSamples::of(const ProgramGraph& graph) {
    SymbolSamples made;
    for (const NodeId id : graph.graph) {
        const Node& node = graph.graph.node(id);
        made.collect(node.meta);
        for (const Argument& argument : node.args) made.collect(argument);
        for (const auto& [name, argument] : node.kwargs) made.collect(argument);
    }
    std::size_t place = 0;
    for (auto& [symbol, numbers] : made.samples_) {
        const auto range = std::ranges::find(graph.ranges, symbol, &SymbolRange::symbol);
        numbers = samples_in(range != graph.ranges.end() ? *range : SymbolRange{}, place++);
    }
    for (const auto& [symbol, numbers] : made.samples_) {
        const auto hint = graph.hints.find(symbol);
        auto expression = std::make_shared<SizeExpression>();
        expression->kind = SizeExpression::Kind::symbol;
        expression->text = symbol;
        made.learn(SymbolicSize(std::move(expression), symbol,
                                hint == graph.hints.end() ? std::nullopt : std::optional(hint->second)));
    }
    return made;
}

void SymbolSamples::collect(const SymbolicSize& size) {
    for (const std::string& symbol : size.symbols()) samples_.try_emplace(symbol);
}

void SymbolSamples::collect(const ValueMeta& meta) {
    for_each_size(meta, [this](const SymbolicSize& size) { collect(size); });
}

void SymbolSamples::collect(const Argument& argument) {
    if (const auto* size = argument.as<SymbolicSize>()) collect(*size);
    if (const auto* list = argument.as<ArgumentList>())
        for (const Argument& item : list->items) collect(item);
}

std::optional<std::int64_t> SymbolSamples::number(const SymbolicSize& size, std::size_t sample) const {
    if (size.is_constant()) return size.constant();
    return size.evaluate([&](std::string_view symbol) -> std::optional<std::int64_t> {
        const auto found = samples_.find(symbol);
        return found == samples_.end() ? std::nullopt : std::optional(found->second[sample]);
    });
}

std::optional<SymbolSamples::Numbers> SymbolSamples::numbers(const SymbolicSize& size) const {
    Numbers all{};
    for (std::size_t i = 0; i < count; ++i) {
        const auto value = number(size, i);
        if (!value) return std::nullopt;
        all[i] = *value;
    }
    return all;
}

void SymbolSamples::learn(const SymbolicSize& size) {
    const auto found = size.is_constant() ? std::nullopt : numbers(size);
    if (found && by_numbers_.try_emplace(*found, known_.size()).second) known_.push_back({*found, size});
}

std::optional<SymbolicSize> SymbolSamples::expression(const Numbers& numbers) {
    if (std::ranges::count(numbers, numbers[0]) == static_cast<std::ptrdiff_t>(count)) return SymbolicSize(numbers[0]);
    if (const auto found = by_numbers_.find(numbers); found != by_numbers_.end()) return known_[found->second].size;
    auto made = derive(numbers);
    if (made) learn(*made);
    return made;
}

std::optional<SymbolicSize> SymbolSamples::derive(const Numbers& numbers) const {
    for (const Known& known : known_)
        if (const auto found = line_through(known.numbers, numbers)) {
            const auto scaled = product(found->first, known.size);
            return scaled ? sum(*scaled, found->second) : std::nullopt;
        }
    for (const Known& known : known_) {
        Numbers factor{}, rest{};
        bool divides = true;
        for (std::size_t i = 0; i < count; ++i) {
            divides = divides && known.numbers[i] != 0 && numbers[i] % known.numbers[i] == 0;
            factor[i] = divides ? numbers[i] / known.numbers[i] : 0;
            rest[i] = numbers[i] - known.numbers[i];
        }
        if (const auto found = by_numbers_.find(factor); divides && found != by_numbers_.end())
            return product(known.size, known_[found->second].size);
        if (const auto found = by_numbers_.find(rest); found != by_numbers_.end())
            return sum(known.size, known_[found->second].size);
    }
    return std::nullopt;
}

} // namespace inspector
