#include "core/passes/reinplace/unit_stride_rules.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace inspector {
namespace {

constexpr std::array contiguous_whatever_the_operands{
    std::string_view("aten::_log_softmax"), std::string_view("aten::_softmax"),
    std::string_view("aten::addmm"), std::string_view("aten::all"),
    std::string_view("aten::amax"), std::string_view("aten::amin"),
    std::string_view("aten::any"), std::string_view("aten::arange"),
    std::string_view("aten::argmax"), std::string_view("aten::argmin"),
    std::string_view("aten::baddbmm"), std::string_view("aten::bmm"),
    std::string_view("aten::cumprod"), std::string_view("aten::cumsum"),
    std::string_view("aten::embedding"), std::string_view("aten::eye"),
    std::string_view("aten::full"), std::string_view("aten::gather"),
    std::string_view("aten::index_add"), std::string_view("aten::index_copy"),
    std::string_view("aten::index_select"), std::string_view("aten::layer_norm"),
    std::string_view("aten::linear"), std::string_view("aten::log_softmax"),
    std::string_view("aten::logsumexp"), std::string_view("aten::matmul"),
    std::string_view("aten::mean"), std::string_view("aten::mm"),
    std::string_view("aten::mv"), std::string_view("aten::native_layer_norm"),
    std::string_view("aten::new_empty"), std::string_view("aten::new_full"),
    std::string_view("aten::new_ones"), std::string_view("aten::new_zeros"),
    std::string_view("aten::ones"), std::string_view("aten::prod"),
    std::string_view("aten::repeat"), std::string_view("aten::roll"),
    std::string_view("aten::scalar_tensor"), std::string_view("aten::scatter"),
    std::string_view("aten::scatter_add"), std::string_view("aten::softmax"),
    std::string_view("aten::std"), std::string_view("aten::sum"),
    std::string_view("aten::tril"), std::string_view("aten::triu"),
    std::string_view("aten::var"), std::string_view("aten::zeros"),
};
static_assert(std::ranges::is_sorted(contiguous_whatever_the_operands));

constexpr std::array follows{
    std::string_view("aten::_to_copy"), std::string_view("aten::cat"),
    std::string_view("aten::clone"), std::string_view("aten::complex"),
    std::string_view("aten::constant_pad_nd"), std::string_view("aten::copy"),
    std::string_view("aten::empty_like"), std::string_view("aten::fill"),
    std::string_view("aten::flip"), std::string_view("aten::full_like"),
    std::string_view("aten::index"), std::string_view("aten::index_fill"),
    std::string_view("aten::index_put"), std::string_view("aten::masked_fill"),
    std::string_view("aten::max"), std::string_view("aten::min"),
    std::string_view("aten::ones_like"), std::string_view("aten::sort"),
    std::string_view("aten::stack"), std::string_view("aten::topk"),
    std::string_view("aten::where"), std::string_view("aten::zeros_like"),
};
static_assert(std::ranges::is_sorted(follows));

/// Pointwise ones whose kernels lay out otherwise.
constexpr std::array follows_otherwise{
    std::string_view("aten::__lshift__"), std::string_view("aten::__rshift__"),
    std::string_view("aten::hardtanh"), std::string_view("aten::native_dropout_backward"),
    std::string_view("aten::relu6"), std::string_view("aten::remainder"),
    std::string_view("aten::rsub"), std::string_view("aten::special_shifted_chebyshev_polynomial_t"),
    std::string_view("aten::special_shifted_chebyshev_polynomial_u"), std::string_view("aten::special_shifted_chebyshev_polynomial_v"),
    std::string_view("aten::special_shifted_chebyshev_polynomial_w"),
};
static_assert(std::ranges::is_sorted(follows_otherwise));

constexpr std::array formula_for_all_sizes{
    std::string_view("aten::alias"), std::string_view("aten::as_strided"),
    std::string_view("aten::chunk"), std::string_view("aten::detach"),
    std::string_view("aten::diagonal"), std::string_view("aten::expand"),
    std::string_view("aten::permute"), std::string_view("aten::select"),
    std::string_view("aten::slice"), std::string_view("aten::split"),
    std::string_view("aten::t"), std::string_view("aten::transpose"),
    std::string_view("aten::unbind"), std::string_view("aten::unfold"),
    std::string_view("aten::unsqueeze"), std::string_view("aten::view_as_real"),
};
static_assert(std::ranges::is_sorted(formula_for_all_sizes));

constexpr std::array asks_for_sizes_only{
    std::string_view("aten::dim"),       std::string_view("aten::numel"),    std::string_view("aten::size"),
    std::string_view("aten::sym_numel"), std::string_view("aten::sym_size"),
};
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

bool asks_for_strides(const Operator& op) {
    const bool is_assertion = op.name.starts_with("aten::_assert") && op.name != "aten::_assert_tensor_metadata";
    return !op.is_mutable && !is_assertion && !is_in(asks_for_sizes_only, op);
}

} // namespace inspector
