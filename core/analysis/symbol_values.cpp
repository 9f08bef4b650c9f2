#include "core/analysis/symbol_values.h"

#include <algorithm>
#include <limits>
#include <set>

namespace inspector {
namespace {

/// Numbers that no symbol has yet. A search goes on where the last from the same start ended: what is taken stays so.
class FreeSizes {
public:
    void take(std::int64_t size) { taken_.insert(size); }

    /// A free number of the range: a multiple of 16, else the smallest above 1, else the nearest to 2.
    std::int64_t of(const SymbolRange& range) {
        constexpr std::int64_t step = 16;
        constexpr std::int64_t limit = std::numeric_limits<std::int64_t>::max() / 2;
        const std::int64_t lowest = std::clamp<std::int64_t>(range.minimum.value_or(2), 2, limit);
        const std::int64_t highest = std::min(range.maximum.value_or(limit), limit);
        if (const auto size = first((lowest + step - 1) / step * step, highest, step)) return *size;
        return first(lowest, highest, 1).value_or(std::min(lowest, highest));
    }

private:
    std::optional<std::int64_t> first(std::int64_t start, std::int64_t highest, std::int64_t step) {
        std::int64_t& size = next_.try_emplace({start, step}, start).first->second;
        while (size <= highest && taken_.contains(size)) size += step;
        return size <= highest ? std::optional(size) : std::nullopt;
    }

    std::set<std::int64_t> taken_;
    std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> next_; ///< by start and step
};

} // namespace

SymbolValues SymbolValues::of(const ProgramGraph& program) {
    SymbolValues values;
    for (const NodeId id : program.graph) {
        const Node& node = program.graph.node(id);
        values.collect(node.meta);
        for (const Argument& argument : node.args) values.collect(argument);
        for (const auto& [name, argument] : node.kwargs) values.collect(argument);
    }
    for (const auto& [symbol, size] : program.hints)
        if (const auto found = values.symbols_.find(symbol); found != values.symbols_.end()) found->second = size;
    values.assume_missing(program.ranges);
    return values;
}

void SymbolValues::collect(const SymbolicSize& size) {
    if (size.is_constant()) return;
    symbolic_ = true;
    for (const std::string& symbol : size.symbols()) symbols_.try_emplace(symbol);
    if (size.expression()->kind == SizeExpression::Kind::symbol && size.hint())
        symbols_[size.expression()->text] = size.hint();
}

void SymbolValues::collect(const ValueMeta& meta) {
    for_each_size(meta, [this](const SymbolicSize& size) { collect(size); });
}

void SymbolValues::collect(const Argument& argument) {
    if (const auto* size = argument.as<SymbolicSize>()) collect(*size);
    if (const auto* list = argument.as<ArgumentList>())
        for (const Argument& item : list->items) collect(item);
    if (const auto* dict = argument.as<ArgumentDict>())
        for (const auto& [key, item] : dict->items) collect(item);
}

void SymbolValues::assume_missing(const std::vector<SymbolRange>& ranges) {
    FreeSizes sizes;
    for (const auto& [symbol, size] : symbols_)
        if (size) sizes.take(*size);
    std::map<std::string_view, const SymbolRange*> range_of;
    for (const SymbolRange& range : ranges) range_of.try_emplace(range.symbol, &range);
    for (auto& [symbol, size] : symbols_) {
        if (size) continue;
        const auto range = range_of.find(symbol);
        size = sizes.of(range != range_of.end() ? *range->second : SymbolRange{});
        sizes.take(*size);
        assumed_.emplace_back(symbol, *size);
    }
}

std::optional<std::int64_t> SymbolValues::value(const SymbolicSize& size) const {
    if (size.is_constant()) return size.constant();
    // A sample of the whole expression (2*s0 = 8) is better than one made from an assumed s0.
    if (size.hint() && std::ranges::any_of(assumed_, [&](const auto& assumed) {
            return std::ranges::binary_search(size.symbols(), assumed.first);
        }))
        return size.hint();
    const auto known = size.evaluate([&](std::string_view symbol) -> std::optional<std::int64_t> {
        const auto found = symbols_.find(symbol);
        return found != symbols_.end() ? found->second : std::nullopt;
    });
    return known ? known : size.hint();
}

std::optional<std::vector<std::int64_t>> SymbolValues::values(const std::vector<SymbolicSize>& sizes) const {
    std::vector<std::int64_t> out;
    out.reserve(sizes.size());
    for (const SymbolicSize& size : sizes) {
        const auto number = value(size);
        if (!number) return std::nullopt;
        out.push_back(*number);
    }
    return out;
}

std::set<std::string> input_symbols(const Graph& graph) {
    std::set<std::string> symbols;
    const auto collect = [&](const SymbolicSize& size) {
        for (std::string& symbol : size.symbols()) symbols.insert(std::move(symbol));
    };
    for (const NodeId id : graph.placeholders()) {
        const ValueMeta& meta = graph.node(id).meta;
        if (const auto* scalar = std::get_if<ScalarMeta>(&meta)) collect(scalar->value);
        if (const auto* tensor = std::get_if<TensorMeta>(&meta)) {
            for (const SymbolicSize& size : tensor->sizes) collect(size);
            if (tensor->strides) for (const SymbolicSize& stride : *tensor->strides) collect(stride);
        }
    }
    return symbols;
}

} // namespace inspector
