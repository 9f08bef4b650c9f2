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

std::int64_t pieces_of_largest(const Stack& stack) { return largest_size(stack) / count(stack, 1) + 1; }
std::int64_t at_most_largest(const Stack& stack) { return std::min(count(stack, 1), largest_size(stack)); }
std::int64_t given_count(const Stack& stack) { return count(stack, 1); }

struct Rule {
    std::string_view name;
    std::int64_t (*steps)(const Stack&);
};

constexpr std::array rules{
    Rule{"aten::unbind", largest_size},
    Rule{"aten::unbind_copy", largest_size},
    Rule{"aten::split", pieces_of_largest},
    Rule{"aten::split_copy", pieces_of_largest},
    Rule{"aten::unsafe_split", pieces_of_largest},
    Rule{"aten::chunk", at_most_largest},
    Rule{"aten::unsafe_chunk", at_most_largest},
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
