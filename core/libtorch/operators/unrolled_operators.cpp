#include "core/libtorch/operators/unrolled_operators.h"

#include <algorithm>
#include <array>

#include <ATen/core/Tensor.h>

namespace inspector {
namespace {

using torch::jit::Stack;

std::int64_t largest_size(const Stack& stack) {
    if (stack.empty() || !stack[0].isTensor() || !stack[0].toTensor().defined()) return 1;
    const auto sizes = stack[0].toTensor().sizes();
    return sizes.empty() ? 1 : *std::max_element(sizes.begin(), sizes.end());
}

/// Argument `place` where it is a positive int, else 1.
std::int64_t count(const Stack& stack, std::size_t place) {
    return place < stack.size() && stack[place].isInt() ? std::max<std::int64_t>(stack[place].toInt(), 1) : 1;
}

/// Of the dimension that argument `place` names; the largest where it names none.
std::int64_t size_named_by(const Stack& stack, std::size_t place) {
    if (place >= stack.size() || !stack[place].isInt()) return largest_size(stack);
    if (!stack[0].isTensor() || !stack[0].toTensor().defined()) return 1;
    const auto sizes = stack[0].toTensor().sizes();
    const auto rank = static_cast<std::int64_t>(sizes.size());
    const std::int64_t dim = stack[place].toInt() + (stack[place].toInt() < 0 ? rank : 0);
    return dim >= 0 && dim < rank ? sizes[static_cast<std::size_t>(dim)] : 1; // the kernel refuses it
}

std::int64_t unbound(const Stack& stack) { return size_named_by(stack, 1); }
std::int64_t split_pieces(const Stack& stack) {
    if (stack.size() > 1 && stack[1].isList()) return static_cast<std::int64_t>(stack[1].toListRef().size());
    return size_named_by(stack, 2) / count(stack, 1) + 1;
}
std::int64_t chunks(const Stack& stack) { return std::min(count(stack, 1), size_named_by(stack, 2)); }
std::int64_t at_most_largest(const Stack& stack) { return std::min(count(stack, 1), largest_size(stack)); }
std::int64_t given_count(const Stack& stack) { return count(stack, 1); }

struct Rule {
    std::string_view name;
    std::int64_t (*steps)(const Stack&);
};

constexpr std::array rules{
    Rule{"aten::unbind", unbound},
    Rule{"aten::unbind_copy", unbound},
    Rule{"aten::split", split_pieces},
    Rule{"aten::split_copy", split_pieces},
    Rule{"aten::unsafe_split", split_pieces},
    Rule{"aten::chunk", chunks},
    Rule{"aten::unsafe_chunk", chunks},
    Rule{"aten::tensor_split", given_count}, // pieces past the end are empty tensors
    Rule{"aten::hsplit", at_most_largest},
    Rule{"aten::vsplit", at_most_largest},
    Rule{"aten::dsplit", at_most_largest},
    Rule{"aten::diff", at_most_largest},
    Rule{"aten::combinations", given_count},
    Rule{"aten::lstm", largest_size},
    Rule{"aten::gru", largest_size},
    Rule{"aten::rnn_tanh", largest_size},
    Rule{"aten::rnn_relu", largest_size},
};

} // namespace

std::int64_t unrolled_steps(std::string_view qualified_name, const Stack& stack) {
    const auto* rule = std::find_if(rules.begin(), rules.end(), [&](const Rule& r) { return r.name == qualified_name; });
    return rule == rules.end() ? 1 : rule->steps(stack);
}

} // namespace inspector
