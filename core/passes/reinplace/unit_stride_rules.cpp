#include "core/passes/reinplace/unit_stride_rules.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace inspector {
namespace {

constexpr auto contiguous_whatever_the_operands = std::to_array<std::string_view>({
    "aten::_log_softmax", "aten::_softmax", "aten::addmm", "aten::all", "aten::amax", "aten::amin", "aten::any",
    "aten::arange", "aten::argmax", "aten::argmin", "aten::baddbmm", "aten::bmm", "aten::cumprod", "aten::cumsum",
    "aten::embedding", "aten::eye", "aten::full", "aten::gather", "aten::index_add", "aten::index_copy",
    "aten::index_select", "aten::layer_norm", "aten::linear", "aten::log_softmax", "aten::logsumexp", "aten::matmul",
    "aten::mean", "aten::mm", "aten::mv", "aten::native_layer_norm", "aten::new_empty", "aten::new_full",
    "aten::new_ones", "aten::new_zeros", "aten::ones", "aten::prod", "aten::repeat", "aten::roll",
    "aten::scalar_tensor", "aten::scatter", "aten::scatter_add", "aten::softmax", "aten::std", "aten::sum",
    "aten::tril", "aten::triu", "aten::var", "aten::zeros",
});
static_assert(std::ranges::is_sorted(contiguous_whatever_the_operands));

constexpr auto follows = std::to_array<std::string_view>({
    "aten::_to_copy", "aten::cat", "aten::clone", "aten::complex", "aten::constant_pad_nd", "aten::copy",
    "aten::empty_like", "aten::fill", "aten::flip", "aten::full_like", "aten::index", "aten::index_fill",
    "aten::index_put", "aten::masked_fill", "aten::max", "aten::min", "aten::ones_like", "aten::sort", "aten::stack",
    "aten::topk", "aten::where", "aten::zeros_like",
});
static_assert(std::ranges::is_sorted(follows));

/// Pointwise ones whose kernels lay out otherwise.
constexpr auto follows_otherwise = std::to_array<std::string_view>({
    "aten::__lshift__", "aten::__rshift__", "aten::hardtanh", "aten::native_dropout_backward", "aten::relu6",
    "aten::remainder", "aten::rsub", "aten::special_shifted_chebyshev_polynomial_t",
    "aten::special_shifted_chebyshev_polynomial_u", "aten::special_shifted_chebyshev_polynomial_v",
    "aten::special_shifted_chebyshev_polynomial_w",
});
static_assert(std::ranges::is_sorted(follows_otherwise));

constexpr auto formula_for_all_sizes = std::to_array<std::string_view>({
    "aten::alias", "aten::as_strided", "aten::chunk", "aten::detach", "aten::diagonal", "aten::expand",
    "aten::permute", "aten::select", "aten::slice", "aten::split", "aten::t", "aten::transpose", "aten::unbind",
    "aten::unfold", "aten::unsqueeze", "aten::view_as_real",
});
static_assert(std::ranges::is_sorted(formula_for_all_sizes));

constexpr auto asks_for_sizes_only = std::to_array<std::string_view>({
    "aten::dim", "aten::numel", "aten::size", "aten::sym_numel", "aten::sym_size",
});
static_assert(std::ranges::is_sorted(asks_for_sizes_only));

bool is_in(const auto& names, const Operator& op) {
    return std::ranges::binary_search(names, std::string_view(op.name));
}

} // namespace

bool is_contiguous_whatever_the_operands(const Operator& op) {
    return is_in(contiguous_whatever_the_operands, op) && !op.is_mutable;
}

bool follows_meta_kernel(const Operator& op) {
    if (!op.name.starts_with("aten::") || is_in(follows_otherwise, op)) return false;
    return op.view != ViewKind::none || op.is_mutable || op.has_tag("pointwise") || op.name.ends_with("_scatter") ||
           is_in(follows, op) || is_contiguous_whatever_the_operands(op);
}

bool lays_out_as_empty_like(const Operator& op) { return op.name == "aten::hardtanh" || op.name == "aten::relu6"; }

bool keeps_strides_of_base(const Operator& view) { return is_in(formula_for_all_sizes, view); }

bool multiplies_strides_by_sizes(const Operator& view) {
    return view.name == "aten::as_strided" || view.name == "aten::unsqueeze";
}

bool asks_for_strides(const Operator& op) {
    const bool is_assertion = op.name.starts_with("aten::_assert") && op.name != "aten::_assert_tensor_metadata";
    return !op.is_mutable && !is_assertion && !is_in(asks_for_sizes_only, op);
}

} // namespace inspector
