#include "core/passes/reinplace/view_shape.h"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace inspector {
namespace {

/// The arguments after self by their place in the schema; null where the call leaves one out.
class Bound {
public:
    /// nullopt: too many arguments, or one of an unknown name.
    static std::optional<Bound> bind(const Operator& view, std::span<const Argument> args,
                                     const std::vector<NamedArgument>& kwargs) {
        Bound bound;
        bound.values_.resize(view.arguments.size() - 1);
        if (args.size() > bound.values_.size()) return std::nullopt;
        for (std::size_t i = 0; i < args.size(); ++i) bound.values_[i] = &args[i];
        for (const auto& [name, argument] : kwargs) {
            const auto place = std::ranges::find(view.arguments, name, &SchemaArgument::name) - view.arguments.begin();
            if (place <= 0 || static_cast<std::size_t>(place) > bound.values_.size()) return std::nullopt;
            const Argument*& value = bound.values_[static_cast<std::size_t>(place) - 1];
            if (value) return std::nullopt;
            value = &argument;
        }
        return bound;
    }

    /// `fallback` where the argument is left out or None. nullopt where it is no integer.
    [[nodiscard]] std::optional<std::int64_t> integer(std::size_t place, std::optional<std::int64_t> fallback) const {
        if (!values_[place] || values_[place]->as<None>()) return fallback;
        return integer_of(*values_[place]);
    }

    [[nodiscard]] std::optional<std::vector<std::int64_t>> integers(std::size_t place) const {
        const auto* list = values_[place] ? values_[place]->as<ArgumentList>() : nullptr;
        if (!list) return std::nullopt;
        std::vector<std::int64_t> out;
        for (const Argument& item : list->items) {
            const auto number = integer_of(item);
            if (!number) return std::nullopt;
            out.push_back(*number);
        }
        return out;
    }

private:
    static std::optional<std::int64_t> integer_of(const Argument& argument) {
        if (const auto* number = argument.as<std::int64_t>()) return *number;
        if (const auto* size = argument.as<SymbolicSize>()) return size->constant();
        return std::nullopt;
    }

    std::vector<const Argument*> values_;
};

/// A dimension counted from the front; nullopt where there is no such dimension.
std::optional<std::size_t> dimension(std::optional<std::int64_t> given, std::size_t rank) {
    const auto count = static_cast<std::int64_t>(rank);
    if (!given || *given < -count || *given >= count) return std::nullopt;
    return static_cast<std::size_t>(*given < 0 ? *given + count : *given);
}

/// offset + steps·stride, unless that overflows.
std::optional<std::int64_t> advanced(std::int64_t offset, std::int64_t steps, std::int64_t stride) {
    std::int64_t distance = 0, out = 0;
    if (__builtin_mul_overflow(steps, stride, &distance) || __builtin_add_overflow(offset, distance, &out))
        return std::nullopt;
    return out;
}

template <typename T> void remove_at(std::vector<T>& items, std::size_t index) {
    items.erase(items.begin() + static_cast<std::ptrdiff_t>(index));
}

std::optional<ViewShape> select(ViewShape shape, const Bound& bound) {
    const auto dim = dimension(bound.integer(0, std::nullopt), shape.sizes.size());
    const auto index = bound.integer(1, std::nullopt);
    if (!dim || !index) return std::nullopt;
    const std::int64_t size = shape.sizes[*dim];
    if (*index < -size || *index >= size) return std::nullopt;
    const auto offset = advanced(shape.offset, *index < 0 ? *index + size : *index, shape.strides[*dim]);
    if (!offset) return std::nullopt;
    shape.offset = *offset;
    remove_at(shape.sizes, *dim);
    remove_at(shape.strides, *dim);
    return shape;
}

std::optional<ViewShape> slice(ViewShape shape, const Bound& bound) {
    constexpr std::int64_t to_the_end = std::numeric_limits<std::int64_t>::max();
    const auto dim = dimension(bound.integer(0, 0), shape.sizes.size());
    const auto start_argument = bound.integer(1, 0);
    const auto end_argument = bound.integer(2, to_the_end);
    const auto step = bound.integer(3, 1);
    if (!dim || !start_argument || !end_argument || !step || *step <= 0) return std::nullopt;
    const std::int64_t size = shape.sizes[*dim];
    const auto place = [&](std::int64_t at) { return at < 0 ? at + size : at; };
    const std::int64_t start = std::clamp<std::int64_t>(place(*start_argument), 0, size);
    const std::int64_t end = std::clamp<std::int64_t>(place(*end_argument), start, size);
    const auto offset = advanced(shape.offset, start, shape.strides[*dim]);
    const auto stride = advanced(0, *step, shape.strides[*dim]);
    if (!offset || !stride) return std::nullopt;
    shape.offset = *offset;
    shape.sizes[*dim] = (end - start) / *step + ((end - start) % *step != 0 ? 1 : 0);
    shape.strides[*dim] = *stride;
    return shape;
}

std::optional<ViewShape> diagonal(ViewShape shape, const Bound& bound) {
    const auto shift = bound.integer(0, 0);
    const auto row = dimension(bound.integer(1, 0), shape.sizes.size());
    const auto column = dimension(bound.integer(2, 1), shape.sizes.size());
    if (!shift || !row || !column || *row == *column || *shift == std::numeric_limits<std::int64_t>::min())
        return std::nullopt;
    const std::int64_t rows = shape.sizes[*row], columns = shape.sizes[*column];
    const std::int64_t length = *shift >= 0
                                    ? std::max<std::int64_t>(std::min(rows, columns - std::min(columns, *shift)), 0)
                                    : std::max<std::int64_t>(std::min(rows - std::min(rows, -*shift), columns), 0);
    if (length > 0) {
        const auto offset = *shift >= 0 ? advanced(shape.offset, *shift, shape.strides[*column])
                                        : advanced(shape.offset, -*shift, shape.strides[*row]);
        if (!offset) return std::nullopt;
        shape.offset = *offset;
    }
    const auto stride = advanced(shape.strides[*row], 1, shape.strides[*column]);
    if (!stride) return std::nullopt;
    for (const std::size_t dim : {std::max(*row, *column), std::min(*row, *column)}) {
        remove_at(shape.sizes, dim);
        remove_at(shape.strides, dim);
    }
    shape.sizes.push_back(length);
    shape.strides.push_back(*stride);
    return shape;
}

std::optional<ViewShape> as_strided(const ViewShape& base, const Bound& bound) {
    auto sizes = bound.integers(0);
    auto strides = bound.integers(1);
    const auto offset = bound.integer(2, base.offset);
    const auto is_negative = [](std::int64_t value) { return value < 0; };
    if (!sizes || !strides || !offset || *offset < 0 || sizes->size() != strides->size() ||
        std::ranges::any_of(*sizes, is_negative) || std::ranges::any_of(*strides, is_negative))
        return std::nullopt;
    return ViewShape{std::move(*sizes), std::move(*strides), *offset};
}

} // namespace

ViewShape shape_of(const TensorLayout& layout) { return {layout.sizes, layout.strides, layout.storage_offset}; }

std::optional<ViewShape> view_shape(const Operator& view, const ViewShape& base, std::span<const Argument> args,
                                    const std::vector<NamedArgument>& kwargs) {
    if (view.arguments.empty() || base.sizes.size() != base.strides.size()) return std::nullopt;
    const auto bound = Bound::bind(view, args, kwargs);
    if (!bound) return std::nullopt;
    if (view.name == "aten::select" && view.overload == "int") return select(base, *bound);
    if (view.name == "aten::slice" && view.overload == "Tensor") return slice(base, *bound);
    if (view.name == "aten::diagonal" && view.overload.empty()) return diagonal(base, *bound);
    if (view.name == "aten::as_strided" && view.overload.empty()) return as_strided(base, *bound);
    return std::nullopt;
}

} // namespace inspector
