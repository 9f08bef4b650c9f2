#include "core/passes/reinplace/layout_sensitivity.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace inspector {
namespace {

constexpr std::int64_t cache_line = 64;

/// Results are the same bits whatever the strides of the arguments: each element is moved, or computed by one operation
/// that rounds exactly (or not at all), or, of a running sum, by one addition after the other.
constexpr std::array exact_whatever_the_strides{
    std::string_view("aten::abs"),
    std::string_view("aten::alias"),
    std::string_view("aten::as_strided_scatter"),
    std::string_view("aten::bitwise_and"),
    std::string_view("aten::bitwise_not"),
    std::string_view("aten::bitwise_or"),
    std::string_view("aten::bitwise_xor"),
    std::string_view("aten::cat"),
    std::string_view("aten::ceil"),
    std::string_view("aten::clamp"),
    std::string_view("aten::clone"),
    std::string_view("aten::copy"),
    std::string_view("aten::copy_"),
    std::string_view("aten::cumsum"),
    std::string_view("aten::diagonal_scatter"),
    std::string_view("aten::div"),
    std::string_view("aten::eq"),
    std::string_view("aten::fill"),
    std::string_view("aten::floor"),
    std::string_view("aten::ge"),
    std::string_view("aten::gt"),
    std::string_view("aten::hardtanh"),
    std::string_view("aten::index"),
    std::string_view("aten::index_put"),
    std::string_view("aten::index_select"),
    std::string_view("aten::isnan"),
    std::string_view("aten::le"),
    std::string_view("aten::logical_and"),
    std::string_view("aten::logical_not"),
    std::string_view("aten::logical_or"),
    std::string_view("aten::lt"),
    std::string_view("aten::masked_fill"),
    std::string_view("aten::mul"),
    std::string_view("aten::ne"),
    std::string_view("aten::neg"),
    std::string_view("aten::relu"),
    std::string_view("aten::select_scatter"),
    std::string_view("aten::slice_scatter"),
    std::string_view("aten::stack"), std::string_view("aten::tril"), std::string_view("aten::triu"),
    std::string_view("aten::where"),
};
static_assert(std::ranges::is_sorted(exact_whatever_the_strides));

/// Reductions of torch's own loops: they read in the order of indices, wherever the memory starts.
constexpr std::array reduces_in_order{
    std::string_view("aten::_softmax"), std::string_view("aten::all"),    std::string_view("aten::amax"),
    std::string_view("aten::amin"),     std::string_view("aten::any"),    std::string_view("aten::argmax"),
    std::string_view("aten::argmin"),   std::string_view("aten::cumsum"), std::string_view("aten::embedding"),
    std::string_view("aten::gather"),   std::string_view("aten::max"),    std::string_view("aten::mean"),
    std::string_view("aten::min"),      std::string_view("aten::sum"),
};
static_assert(std::ranges::is_sorted(reduces_in_order));

constexpr std::array copies_first_operand{
    std::string_view("aten::addbmm"),         std::string_view("aten::addmm"),
    std::string_view("aten::addmv"),          std::string_view("aten::baddbmm"),
    std::string_view("aten::index_add"),      std::string_view("aten::index_copy"),
    std::string_view("aten::index_fill"),     std::string_view("aten::index_put"),
    std::string_view("aten::scatter"),        std::string_view("aten::scatter_add"),
    std::string_view("aten::scatter_reduce"),
};
static_assert(std::ranges::is_sorted(copies_first_operand));

bool is_in(const auto& names, const Operator& op) {
    return std::ranges::binary_search(names, std::string_view(op.name));
}

bool is_floating(const Argument& argument) {
    const DType* dtype = argument.as<DType>();
    return dtype && (*dtype == DType::f16 || *dtype == DType::bf16 || *dtype == DType::f32 || *dtype == DType::f64);
}

/// Of complex numbers they are several operations, which vectorised loops and others fuse differently; they give zeros of
/// other signs.
constexpr std::array exact_if_real{std::string_view("aten::abs"), std::string_view("aten::div"), std::string_view("aten::mul"),
                                   std::string_view("aten::neg")};
static_assert(std::ranges::is_sorted(exact_if_real));

/// add and sub round exactly where nothing is multiplied first; a cast does to a floating type, while numbers beyond an
/// integer type's range become what the loop at hand makes of them.
bool is_exact(const Operator& op, const Node& node, DType operand) {
    if (is_complex(operand) && is_in(exact_if_real, op)) return false;
    if (op.name == "aten::_to_copy")
        return std::ranges::any_of(node.kwargs, [](const NamedArgument& named) {
            return named.first == "dtype" && is_floating(named.second);
        });
    // Of two zeros loops take one or the other.
    if (op.name == "aten::maximum" || op.name == "aten::minimum" || (op.name == "aten::clamp" && op.overload == "Tensor"))
        return !is_floating_point(operand) && !is_complex(operand);
    if (op.name == "aten::add" || op.name == "aten::sub") return node.kwargs.empty() && node.args.size() <= 2;
    return is_in(exact_whatever_the_strides, op);
}

} // namespace

bool same_strides(const TensorLayout& a, const TensorLayout& b) {
    if (a.sizes != b.sizes) return false;
    for (std::size_t i = 0; i < a.sizes.size(); ++i)
        if (a.sizes[i] > 1 && a.strides[i] != b.strides[i]) return false;
    return true;
}

bool gives_same_bits(const Operator& op, const Node& node, DType operand, bool keeps_strides,
                     std::int64_t shift_bytes) {
    if (is_exact(op, node, operand)) return true;
    return keeps_strides && (shift_bytes % cache_line == 0 || op.has_tag("pointwise") || is_in(reduces_in_order, op));
}

bool starts_from_copy(const Operator& op) { return is_in(copies_first_operand, op); }

} // namespace inspector
