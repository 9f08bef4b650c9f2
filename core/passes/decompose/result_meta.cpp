#include "core/passes/decompose/result_meta.h"

#include <algorithm>

#include "core/analysis/tensor_extent.h"
#include "core/passes/decompose/lazy_bits.h"

namespace inspector {
namespace {

Argument number_of(const ScalarMeta& meta, std::int64_t value) {
    switch (meta.kind) {
    case ScalarMeta::Kind::integer: break;
    case ScalarMeta::Kind::floating: return static_cast<double>(value);
    case ScalarMeta::Kind::boolean: return value != 0;
    }
    return value;
}

} // namespace

ResultMeta::ResultMeta(const ProgramGraph& graph) : samples_(SymbolSamples::of(graph)) {
    may_be_lazy_ = std::ranges::any_of(graph.graph, [&](NodeId id) { return may_make_lazy(graph.graph.node(id).target); });
}

bool ResultMeta::is_symbolic(const Graph& graph, const Argument& argument) const {
    if (!samples_.is_symbolic()) return false;
    if (const auto* size = argument.as<SymbolicSize>()) return !size->is_constant();
    bool found = false;
    for_each_reference(argument, [&](NodeId id) {
        const ValueMeta& meta = graph.node(id).meta;
        if (const auto* tensor = std::get_if<TensorMeta>(&meta)) found |= has_symbols(*tensor);
        else if (const auto* scalar = std::get_if<ScalarMeta>(&meta)) found |= !scalar->value.is_constant();
    });
    return found;
}

void ResultMeta::learn(const ValueMeta& meta) {
    if (!samples_.is_symbolic()) return;
    for_each_tensor(meta, [&](const TensorMeta& tensor) {
        for (const SymbolicSize& size : tensor.sizes) samples_.learn(size);
        if (tensor.strides)
            for (const SymbolicSize& stride : *tensor.strides) samples_.learn(stride);
    });
    if (const auto* scalar = std::get_if<ScalarMeta>(&meta)) samples_.learn(scalar->value);
}

Result<MetaValue> ResultMeta::evaluate(const Graph& graph, const Argument& argument, std::size_t sample) const {
    if (argument.as<None>()) return MetaValue{};
    if (const auto* size = argument.as<SymbolicSize>()) {
        const auto number = samples_.number(*size, sample);
        return number ? Result<MetaValue>(MetaValue{Argument(*number)}) : fail("", "the size " + size->to_string() + " is not known");
    }
    if (const auto* list = argument.as<ArgumentList>()) {
        MetaList items;
        for (const Argument& item : list->items) {
            auto value = evaluate(graph, item, sample);
            if (!value) return value;
            items.push_back(std::move(*value));
        }
        return MetaValue{std::move(items)};
    }
    const NodeId id = argument.node();
    if (id == no_node) return MetaValue{argument};
    const Node& node = graph.node(id);
    if (const auto* scalar = std::get_if<ScalarMeta>(&node.meta)) {
        const auto number = samples_.number(scalar->value, sample);
        return number ? Result<MetaValue>(MetaValue{number_of(*scalar, *number)}) : fail("", "%" + node.name + " has no known value");
    }
    const auto* tensor = std::get_if<TensorMeta>(&node.meta);
    if (!tensor) return fail("", "the shape of %" + node.name + " is not known");
    TensorLayout layout;
    layout.dtype = tensor->dtype;
    layout.device = tensor->device.value_or("cpu");
    for (const SymbolicSize& size : tensor->sizes) {
        const auto number = samples_.number(size, sample);
        if (!number) return fail("", "a size of %" + node.name + " is not known");
        layout.sizes.push_back(*number);
    }
    if (tensor->strides) {
        for (const SymbolicSize& stride : *tensor->strides) {
            const auto number = samples_.number(stride, sample);
            if (!number) return fail("", "a stride of %" + node.name + " is not known");
            layout.strides.push_back(*number);
        }
    } else {
        layout.strides = contiguous_strides(layout.sizes);
    }
    if (may_be_lazy_) {
        const LazyBits bits = lazy_bits(graph, id);
        layout.conjugated = bits.conjugated && is_complex(layout.dtype);
        layout.negated = bits.negated;
    }
    if (tensor->storage_offset) layout.storage_offset = samples_.number(*tensor->storage_offset, sample).value_or(0);
    return MetaValue{std::move(layout)};
}

std::optional<SymbolicSize> ResultMeta::combine_numbers(const std::vector<std::int64_t>& numbers) {
    if (numbers.size() == 1) return SymbolicSize(numbers.front());
    SymbolSamples::Numbers samples{};
    std::ranges::copy(numbers, samples.begin());
    return samples_.expression(samples);
}

Result<TensorMeta> ResultMeta::combine_tensors(const std::vector<const TensorLayout*>& layouts) {
    const TensorLayout& first = *layouts.front();
    TensorMeta meta;
    meta.dtype = first.dtype;
    meta.device = first.device;
    meta.strides.emplace();
    const auto numbers = [&](const auto& number_in) {
        std::vector<std::int64_t> all;
        for (const TensorLayout* layout : layouts) all.push_back(number_in(*layout));
        return combine_numbers(all);
    };
    for (const TensorLayout* layout : layouts)
        if (layout->sizes.size() != first.sizes.size() || layout->dtype != first.dtype)
            return fail("", "the result depends on the size of a symbol");
    for (std::size_t i = 0; i < first.sizes.size(); ++i) {
        auto size = numbers([&](const TensorLayout& layout) { return layout.sizes[i]; });
        if (!size) return fail("", "a size of the result is no expression of those known");
        meta.sizes.push_back(std::move(*size));
    }
    // From the last dimension, so that each stride is the product of what is known by then.
    std::vector<SymbolicSize> strides(first.strides.size());
    for (std::size_t i = strides.size(); i-- > 0;) {
        auto stride = numbers([&](const TensorLayout& layout) { return layout.strides[i]; });
        if (!stride) return fail("", "a stride of the result is no expression of those known");
        strides[i] = std::move(*stride);
    }
    meta.strides = std::move(strides);
    meta.storage_offset = numbers([](const TensorLayout& layout) { return layout.storage_offset; });
    return meta;
}

Result<ValueMeta> ResultMeta::combine(const std::vector<MetaValue>& results) {
    const auto& first = results.front().value;
    for (const MetaValue& result : results)
        if (result.value.index() != first.index()) return fail("", "the result depends on the size of a symbol");
    if (std::holds_alternative<std::monostate>(first)) return NoneMeta{};
    if (std::holds_alternative<TensorLayout>(first)) {
        std::vector<const TensorLayout*> layouts;
        for (const MetaValue& result : results) layouts.push_back(&std::get<TensorLayout>(result.value));
        auto meta = combine_tensors(layouts);
        if (!meta) return tl::unexpected(std::move(meta.error()));
        return std::move(*meta);
    }
    if (const auto* list = std::get_if<MetaList>(&first)) {
        ListMeta made;
        for (std::size_t i = 0; i < list->size(); ++i) {
            std::vector<const TensorLayout*> layouts;
            for (const MetaValue& result : results) {
                const auto& items = std::get<MetaList>(result.value);
                if (items.size() != list->size()) return fail("", "how many results there are depends on the size of a symbol");
                if (const auto* layout = std::get_if<TensorLayout>(&items[i].value)) layouts.push_back(layout);
            }
            if (layouts.size() != results.size()) {
                made.items.emplace_back();
                continue;
            }
            auto meta = combine_tensors(layouts);
            if (!meta) return tl::unexpected(std::move(meta.error()));
            made.items.emplace_back(std::move(*meta));
        }
        return made;
    }
    std::vector<std::int64_t> numbers;
    for (const MetaValue& result : results) {
        const auto* number = std::get<Argument>(result.value).as<std::int64_t>();
        if (!number) return UnknownMeta{};
        numbers.push_back(*number);
    }
    auto size = combine_numbers(numbers);
    if (!size) return fail("", "the result is no expression of the sizes known");
    return ScalarMeta{ScalarMeta::Kind::integer, std::move(*size)};
}

Result<ValueMeta> ResultMeta::infer(const Graph& graph, const Operator& op, const std::vector<Argument>& args,
                                    const std::vector<NamedArgument>& kwargs) {
    may_be_lazy_ = may_be_lazy_ || may_make_lazy(op.short_target());
    bool symbolic = false;
    for (const Argument& argument : args) symbolic |= is_symbolic(graph, argument);
    for (const auto& [name, argument] : kwargs) symbolic |= is_symbolic(graph, argument);
    std::vector<MetaValue> results;
    for (std::size_t sample = 0; sample < (symbolic ? SymbolSamples::count : 1); ++sample) {
        std::vector<MetaValue> values;
        std::vector<std::pair<std::string, MetaValue>> named;
        for (const Argument& argument : args) {
            auto value = evaluate(graph, argument, sample);
            if (!value) return tl::unexpected(std::move(value.error()));
            values.push_back(std::move(*value));
        }
        for (const auto& [name, argument] : kwargs) {
            auto value = evaluate(graph, argument, sample);
            if (!value) return tl::unexpected(std::move(value.error()));
            named.emplace_back(name, std::move(*value));
        }
        auto result = executor_.run(op, values, named);
        if (!result) return tl::unexpected(std::move(result.error()));
        results.push_back(std::move(*result));
    }
    return combine(results);
}

} // namespace inspector
