#include "core/analysis/symbolic_region.h"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "core/analysis/symbolic_views.h"
#include "core/graph/size_polynomial.h"
#include "core/graph/symbolic_arithmetic.h"
#include "core/operators/operator_table.h"

namespace inspector {
namespace {

using Size = std::optional<SymbolicSize>;

Size difference(const SymbolicSize& a, const SymbolicSize& b) {
    const Size negative = product(b, -1);
    return negative ? sum(a, *negative) : std::nullopt;
}

/// (size - 1) * stride
Size reach(const SymbolicSize& size, const SymbolicSize& stride) {
    const Size steps = sum(size, -1);
    return steps ? product(*steps, stride) : std::nullopt;
}

struct Dimension {
    SymbolicSize size, stride;
};

/// Those that may be above 1 and move; strides must not be negative. nullopt: some stride may be.
std::optional<std::vector<Dimension>> moving_dimensions(const SymbolicLayout& view, const SizeOrder& order) {
    std::vector<Dimension> all;
    if (view.sizes.size() != view.strides.size()) return std::nullopt;
    for (std::size_t i = 0; i < view.sizes.size(); ++i) {
        if (view.sizes[i].constant() == 1 || view.strides[i].constant() == 0) continue;
        if (!order.surely_at_most(0, view.strides[i])) return std::nullopt;
        all.push_back({view.sizes[i], view.strides[i]});
    }
    return all;
}

/// The largest stride first; false: they cannot be ordered for all sizes.
bool order_by_stride(std::vector<SymbolicSize>& strides, const SizeOrder& order) {
    for (std::size_t i = 0; i < strides.size(); ++i) {
        for (std::size_t j = i + 1; j < strides.size(); ++j) {
            if (order.surely_at_most(strides[j], strides[i])) continue;
            if (!order.surely_at_most(strides[i], strides[j])) return false;
            std::swap(strides[i], strides[j]);
        }
    }
    return true;
}

/// How often `stride` goes into `distance`, term by term; `distance` is what is left.
SizePolynomial take_digits(SizePolynomial& distance, const SizePolynomial& stride) {
    SizePolynomial digit;
    if (stride.terms().empty()) return digit;
    const auto& [leading, factor] = *std::ranges::max_element(stride.terms(), {}, [](const auto& term) {
        int degree = 0;
        for (const auto& [atom, power] : term.first) degree += power;
        return degree;
    });
    for (int i = 0; i < 20; ++i) {
        bool found = false;
        for (const auto& [monomial, coefficient] : distance.terms()) {
            SizePolynomial quotient(coefficient / factor);
            bool divides = coefficient % factor == 0;
            for (const auto& [atom, power] : leading) {
                const auto place =
                    std::ranges::find_if(monomial, [&](const auto& other) { return other.first->text == atom->text; });
                divides = divides && place != monomial.end() && place->second >= power;
            }
            if (!divides) continue;
            for (const auto& [atom, power] : monomial) {
                const auto place =
                    std::ranges::find_if(leading, [&](const auto& other) { return other.first->text == atom->text; });
                const int left = power - (place == leading.end() ? 0 : place->second);
                for (int j = 0; j < left; ++j) quotient = quotient.times(SizePolynomial(atom));
            }
            digit = digit.plus(quotient);
            distance = distance.minus(quotient.times(stride));
            found = true;
            break;
        }
        if (!found) break;
    }
    return digit;
}

Size size_of(const SizePolynomial& polynomial) {
    if (const auto number = polynomial.number()) return *number;
    auto parsed = SymbolicSize::parse(polynomial.text());
    return parsed ? Size(std::move(*parsed)) : std::nullopt;
}

/// One digit of both views: where each starts, and how many values it takes.
struct Digit {
    SymbolicSize stride, start_a, start_b, count_a, count_b;
};

/// nullopt: the views cannot be taken apart so, or not be shown to be uniquely.
std::optional<std::vector<Digit>> digits_of(const SymbolicLayout& a, const SymbolicLayout& b, const SizeOrder& order) {
    const auto left = moving_dimensions(a, order), right = moving_dimensions(b, order);
    const Size apart = difference(b.offset, a.offset);
    const auto apart_polynomial = apart ? SizePolynomial::of(*apart) : std::nullopt;
    if (!left || !right || !apart_polynomial) return std::nullopt;
    std::vector<SymbolicSize> strides;
    for (const auto* dimensions : {&*left, &*right})
        for (const Dimension& dimension : *dimensions)
            if (std::ranges::none_of(
                    strides, [&](const SymbolicSize& known) { return order.surely_equal(known, dimension.stride); }))
                strides.push_back(dimension.stride);
    if (std::ranges::none_of(strides, [](const SymbolicSize& stride) { return stride.constant() == 1; }))
        strides.emplace_back(1);
    if (strides.size() > 8 || !order_by_stride(strides, order)) return std::nullopt;

    std::vector<Digit> digits;
    SizePolynomial rest = *apart_polynomial;
    for (const SymbolicSize& stride : strides) {
        Digit digit{stride, 0, 0, 1, 1};
        for (const auto& [dimensions, count] : {std::pair(&*left, &digit.count_a), {&*right, &digit.count_b}}) {
            bool taken = false;
            for (const Dimension& dimension : *dimensions) {
                if (!order.surely_equal(dimension.stride, stride)) continue;
                if (std::exchange(taken, true)) return std::nullopt; // two dimensions with one stride
                *count = dimension.size;
            }
        }
        const auto polynomial = SizePolynomial::of(stride);
        const Size start = polynomial ? size_of(take_digits(rest, *polynomial)) : std::nullopt;
        if (!start) return std::nullopt;
        if (order.surely_at_most(0, *start)) {
            digit.start_b = *start;
        } else {
            const Size other_way = product(*start, -1);
            if (!other_way || !order.surely_at_most(0, *other_way)) return std::nullopt;
            digit.start_a = *other_way;
        }
        digits.push_back(std::move(digit));
    }
    if (!rest.is_zero()) return std::nullopt;

    // The lower digits of each together stay below the stride above them.
    SymbolicSize low_a = 0, low_b = 0;
    for (std::size_t i = digits.size(); i-- > 1;) {
        const Digit& digit = digits[i];
        for (const auto& [low, start, count] :
             {std::tuple(&low_a, &digit.start_a, &digit.count_a), {&low_b, &digit.start_b, &digit.count_b}}) {
            const Size end = sum(*start, *count);
            const Size most = end ? reach(*end, digit.stride) : std::nullopt;
            const Size together = most ? sum(*low, *most) : std::nullopt;
            if (!together || !order.surely_less(*together, digits[i - 1].stride)) return std::nullopt;
            *low = *together;
        }
    }
    return digits;
}

/// Apart in one digit, or by it.
SizeAnswer apart_by_digits(const std::vector<Digit>& digits, const SizeOrder& order) {
    SizeAnswer answer{Truth::never, {}, true};
    for (const Digit& digit : digits) {
        const Size end_a = sum(digit.start_a, digit.count_a), end_b = sum(digit.start_b, digit.count_b);
        if (!end_a || !end_b) return {};
        for (const SizeCondition& apart : {SizeCondition{*end_a, SizeRelation::at_most, digit.start_b},
                                           SizeCondition{*end_b, SizeRelation::at_most, digit.start_a}}) {
            const Truth truth = order.decide(apart);
            if (truth == Truth::always) return {Truth::always, {}, true};
            if (truth == Truth::never) continue;
            if (truth == Truth::unknown || answer.truth != Truth::never) answer.is_exact = false; // one of several ways
            if (truth == Truth::depends && answer.if_all.empty()) answer.if_all = {apart};
            answer.truth = answer.if_all.empty() ? Truth::unknown : Truth::depends;
        }
    }
    return answer;
}

/// The last cell of `view`, where it has one.
Size last_cell(const SymbolicLayout& view, const std::vector<Dimension>& dimensions) {
    Size end = view.offset;
    for (const Dimension& dimension : dimensions) {
        const Size step = reach(dimension.size, dimension.stride);
        end = end && step ? sum(*end, *step) : std::nullopt;
    }
    return end;
}

SizeAnswer apart_by_ends(const SymbolicLayout& a, const SymbolicLayout& b, const SizeOrder& order) {
    const auto left = moving_dimensions(a, order), right = moving_dimensions(b, order);
    if (!left || !right) return {};
    SizeAnswer answer;
    for (const auto& [first, dimensions, second] : {std::tuple(&a, &*left, &b), {&b, &*right, &a}}) {
        const Size last = last_cell(*first, *dimensions);
        if (!last) continue;
        const SizeCondition ends{*last, SizeRelation::less, second->offset};
        const Truth truth = order.decide(ends);
        if (truth == Truth::always) return {Truth::always, {}, true};
        if (truth == Truth::depends && answer.if_all.empty()) answer = {Truth::depends, {ends}, false};
    }
    return answer;
}

bool is_surely_empty(const SymbolicLayout& view) {
    return std::ranges::any_of(view.sizes, [](const SymbolicSize& size) { return size.constant() == 0; });
}

} // namespace

SizeAnswer lie_apart(const SymbolicLayout& a, const SymbolicLayout& b, const SizeOrder& order) {
    if (is_surely_empty(a) || is_surely_empty(b)) return {Truth::always, {}, true};
    if (a.element_size != b.element_size) return {};
    if (const auto digits = digits_of(a, b, order)) {
        const SizeAnswer answer = apart_by_digits(*digits, order);
        if (answer.truth != Truth::unknown) return answer;
    }
    return apart_by_ends(a, b, order);
}

SizeAnswer has_own_cells(const SymbolicLayout& view, const SizeOrder& order) {
    if (view.sizes.size() != view.strides.size()) return {};
    SizeAnswer answer{Truth::always, {}, true};
    for (std::size_t i = 0; i < view.sizes.size(); ++i) {
        if (view.strides[i].constant() != 0) continue;
        const SizeCondition alone{view.sizes[i], SizeRelation::at_most, 1};
        switch (order.decide(alone)) {
        case Truth::always: break;
        case Truth::never: return {Truth::never, {}, true};
        case Truth::depends:
            answer.truth = Truth::depends;
            answer.if_all.push_back(alone);
            break;
        case Truth::unknown: return {};
        }
    }
    const auto dimensions = moving_dimensions(view, order);
    if (!dimensions) return {};
    std::vector<SymbolicSize> strides;
    for (const Dimension& dimension : *dimensions) strides.push_back(dimension.stride);
    if (!order_by_stride(strides, order)) return {};
    SymbolicSize low = 0; // what the dimensions so far reach
    std::set<std::size_t> used;
    for (std::size_t i = strides.size(); i-- > 0;) {
        const auto place = std::ranges::find_if(*dimensions, [&](const Dimension& dimension) {
            const auto index = static_cast<std::size_t>(&dimension - dimensions->data());
            return !used.contains(index) && dimension.stride == strides[i];
        });
        if (place == dimensions->end() || !order.surely_less(low, strides[i])) return {};
        used.insert(static_cast<std::size_t>(place - dimensions->begin()));
        const Size step = reach(place->size, place->stride);
        const Size together = step ? sum(low, *step) : std::nullopt;
        if (!together) return {};
        low = *together;
    }
    return answer;
}

SizeAnswer have_same_sizes(const std::vector<SymbolicSize>& a, const std::vector<SymbolicSize>& b,
                           const SizeOrder& order) {
    if (a.size() != b.size()) return {Truth::never, {}, true};
    SizeAnswer answer{Truth::always, {}, true};
    for (std::size_t i = 0; i < a.size(); ++i) {
        const SizeCondition same{a[i], SizeRelation::equal, b[i]};
        switch (order.decide(same)) {
        case Truth::always: break;
        case Truth::never: return {Truth::never, {}, true};
        case Truth::unknown: answer.is_exact = false; [[fallthrough]];
        case Truth::depends:
            answer.truth = Truth::depends;
            if (std::ranges::find(answer.if_all, same) == answer.if_all.end()) answer.if_all.push_back(same);
            break;
        }
    }
    return answer;
}

bool surely_same_strides(const SymbolicLayout& a, const SymbolicLayout& b, const SizeOrder& order) {
    if (a.sizes.size() != b.sizes.size() || a.strides.size() != a.sizes.size() || b.strides.size() != b.sizes.size())
        return false;
    for (std::size_t i = 0; i < a.sizes.size(); ++i) {
        if (!order.surely_equal(a.sizes[i], b.sizes[i])) return false;
        if (!order.surely_at_most(a.sizes[i], 1) && !order.surely_equal(a.strides[i], b.strides[i])) return false;
    }
    return true;
}

bool surely_same_place(const SymbolicLayout& a, const SymbolicLayout& b, const SizeOrder& order) {
    return a.element_size == b.element_size && surely_same_strides(a, b, order) &&
           order.surely_equal(a.offset, b.offset);
}

bool surely_dense(const SymbolicLayout& view, const SizeOrder& order) {
    auto dimensions = moving_dimensions(view, order);
    if (!dimensions) return false;
    for (std::size_t i = 0; i < view.sizes.size(); ++i) // what does not move must not repeat
        if (view.strides[i].constant() == 0 && !order.surely_at_most(view.sizes[i], 1)) return false;
    SymbolicSize next = 1;
    while (!dimensions->empty()) {
        const auto place = std::ranges::find_if(
            *dimensions, [&](const Dimension& dimension) { return order.surely_equal(dimension.stride, next); });
        if (place == dimensions->end()) return false;
        const Size after = product(next, place->size);
        if (!after) return false;
        next = *after;
        dimensions->erase(place);
    }
    return true;
}

SizeOrder size_order(const ProgramGraph& program) {
    std::map<std::string, SizeOrder::Range> ranges;
    const auto look_at = [&](const SymbolicSize& size) {
        const SizeExpression* expression = size.expression();
        if (expression && expression->kind == SizeExpression::Kind::symbol) ranges[expression->text].minimum = 0;
    };
    for (const NodeId id : program.graph)
        for_each_tensor(program.graph.node(id).meta, [&](const TensorMeta& tensor) {
            for (const SymbolicSize& size : tensor.sizes) look_at(size);
        });
    for (const SymbolRange& range : program.ranges) {
        SizeOrder::Range& known = ranges[range.symbol];
        if (range.minimum) known.minimum = std::max(*range.minimum, known.minimum.value_or(*range.minimum));
        if (range.maximum) known.maximum = *range.maximum;
    }
    return SizeOrder(std::move(ranges));
}

std::vector<std::optional<SymbolicLayout>> symbolic_layouts(const ProgramGraph& program, const GraphFacts& facts,
                                                            const SizeOrder& order) {
    const Graph& graph = program.graph;
    std::vector<std::optional<SymbolicLayout>> layouts(graph.id_limit());
    for (const NodeId id : graph) {
        const Node& node = graph.node(id);
        const auto* meta = std::get_if<TensorMeta>(&node.meta);
        const TensorLayout* known = facts.tensor(id);
        if (!meta || !known || meta->layout != Layout::strided || (!meta->strides && !meta->sizes.empty())) continue;
        SymbolicLayout layout{meta->sizes, meta->strides.value_or(std::vector<SymbolicSize>{}), 0,
                              element_size(meta->dtype)};
        if (layout.strides.size() != layout.sizes.size()) continue;
        const NodeId base = facts.of(id).view_of;
        if (meta->storage_offset) {
            layout.offset = *meta->storage_offset;
        } else if (base != no_node || facts.storages(id).size() != 1) {
            const Operator* op = OperatorTable::instance().find(node.target);
            const auto& from =
                base != no_node && index_of(base) < layouts.size() ? layouts[index_of(base)] : std::nullopt;
            if (!op || !from || node.args.empty()) continue;
            auto view = symbolic_view(graph, *op, *from, std::span(node.args).subspan(1), node.kwargs, layout.sizes,
                                      &layout.strides, order);
            if (!view) continue;
            layout.offset = view->offset;
        } else if (known->storage_offset != 0) {
            continue;
        }
        layouts[index_of(id)] = std::move(layout);
    }
    return layouts;
}

} // namespace inspector
