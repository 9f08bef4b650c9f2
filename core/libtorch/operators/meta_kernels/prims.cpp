// prims: the primitives of torch._refs, which Inductor's graphs use and only Python implements. Their arguments are
// already of one type and, elementwise, of one shape.
#include <algorithm>

#include <ATen/ops/as_strided.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_strided.h>

#include "core/libtorch/operators/meta_kernels/layouts.h"

namespace inspector::meta_kernels {
namespace {

Results unary(const MetaCall& call) { return {elementwise(call.self().scalar_type(), {call.self()})}; }
Results unary_boolean(const MetaCall& call) { return {elementwise(c10::kBool, {call.self()})}; }
Results magnitude(const MetaCall& call) {
    return {elementwise(c10::toRealValueType(call.self().scalar_type()), {call.self()})};
}
/// A number takes part without deciding the type.
Results pair_of(const MetaCall& call, std::optional<c10::ScalarType> type) {
    const at::Tensor& self = call.self();
    const at::Tensor& other = call.tensor("other");
    const bool self_is_number = self.unsafeGetTensorImpl()->is_wrapped_number();
    return {elementwise(type.value_or((self_is_number ? other : self).scalar_type()), {self, other})};
}
Results binary(const MetaCall& call) { return pair_of(call, std::nullopt); }
Results comparison(const MetaCall& call) { return pair_of(call, c10::kBool); }
Results where(const MetaCall& call) {
    const at::Tensor& a = call.tensor("a");
    return {elementwise(a.scalar_type(), {call.tensor("pred"), a, call.tensor("b")})};
}

Results convert_element_type(const MetaCall& call) { return {elementwise(*call.dtype(), {call.tensor("a")})}; }
Results device_put(const MetaCall& call) { return {dense_like(call.tensor("a"))}; }
Results clone(const MetaCall& call) { return {dense_like(call.self())}; }

at::TensorOptions options(const MetaCall& call) { return at::TensorOptions().device(c10::kMeta).dtype(*call.dtype()); }
Results iota(const MetaCall& call) { return {at::empty({call.integer("length")}, options(call))}; }
Results filled(const MetaCall& call) { return {at::empty(call.integers("shape"), options(call))}; }
Results empty_strided(const MetaCall& call) {
    return {at::empty_strided(call.integers("shape"), call.integers("strides"), options(call))};
}
Results uniform(const MetaCall& call) {
    return {at::empty_strided(call.integers("shape"), call.integers("stride"), options(call))};
}

Results reduction(const MetaCall& call) {
    const at::Tensor& input = call.tensor("inp");
    const auto type = call.dtype("output_dtype").value_or(input.scalar_type());
    if (call.is_none("dims")) return {empty(reduced_sizes(input, {}, false), input, type)};
    const Sizes dims = call.integers("dims");
    return {empty(dims.empty() ? input.sizes().vec() : reduced_sizes(input, dims, false), input, type)};
}

Results concatenate(const MetaCall& call) { return {at::cat(call.tensors("tensors"), call.integer("dim"))}; }
Results reverse(const MetaCall& call) { return {dense_like(call.tensor("a"))}; }
Results reshape(const MetaCall& call) {
    const at::Tensor& a = call.tensor("a");
    const Sizes shape = call.integers("shape");
    TORCH_CHECK(c10::multiply_integers(shape) == a.numel(), "Attempting to reshape a tensor with ", a.numel(),
                " elements to a shape with another number of them");
    return {empty(shape, a)};
}

Results itself(const MetaCall& call) {
    const at::Tensor& a = call.tensor("a");
    return {at::as_strided(a, a.sizes(), a.strides(), a.storage_offset())};
}

/// Dimension i of `a` becomes dimension broadcast_dimensions[i] of the result; all others repeat.
Results broadcast_in_dim(const MetaCall& call) {
    const at::Tensor& a = call.tensor("a");
    const Sizes shape = call.integers("shape"), places = call.integers("broadcast_dimensions");
    TORCH_CHECK(static_cast<std::int64_t>(places.size()) == a.dim(), "broadcast_in_dim: one place for each dimension is needed");
    Sizes strides(shape.size(), 0);
    for (std::int64_t i = 0; i < a.dim(); ++i) {
        const std::int64_t place = places[static_cast<std::size_t>(i)];
        TORCH_CHECK(place >= 0 && place < static_cast<std::int64_t>(shape.size()), "broadcast_in_dim: no dimension ", place);
        const std::int64_t size = shape[static_cast<std::size_t>(place)];
        TORCH_CHECK(a.size(i) == 1 || a.size(i) == size, "broadcast_in_dim: ", a.size(i), " does not broadcast to ", size);
        strides[static_cast<std::size_t>(place)] = a.size(i) == size ? a.stride(i) : 0;
    }
    return {at::as_strided(a, shape, strides, a.storage_offset())};
}
Results squeeze(const MetaCall& call) { return {call.tensor("a").squeeze(call.integers("dimensions"))}; }
Results transpose(const MetaCall& call) { return {call.tensor("a").permute(call.integers("permutation"))}; }
Results split_dim(const MetaCall& call) {
    const at::Tensor& a = call.tensor("a");
    const std::int64_t dim = wrap(call.integer("dim"), a.dim()), outer = call.integer("outer_length");
    TORCH_CHECK(outer > 0 && a.dim() > 0 && a.size(dim) % outer == 0, "split_dim: ", outer, " does not divide the dimension's size");
    Sizes shape = a.sizes().vec();
    shape[static_cast<std::size_t>(dim)] = a.size(dim) / outer;
    shape.insert(shape.begin() + dim, outer);
    return {a.view(shape)};
}

constexpr Kernel kernels[] = {
    {"abs", magnitude},
    {"acos", unary},
    {"acosh", unary},
    {"add", binary},
    {"amax", reduction},
    {"amin", reduction},
    {"asin", unary},
    {"asinh", unary},
    {"atan", unary},
    {"atan2", binary},
    {"atanh", unary},
    {"bitwise_and", binary},
    {"bitwise_not", unary},
    {"bitwise_or", binary},
    {"bitwise_xor", binary},
    {"broadcast_in_dim", broadcast_in_dim},
    {"cat", concatenate},
    {"cbrt", unary},
    {"ceil", unary},
    {"clone", clone},
    {"convert_element_type", convert_element_type},
    {"cos", unary},
    {"cosh", unary},
    {"device_put", device_put},
    {"div", binary},
    {"empty", filled},
    {"empty_strided", empty_strided},
    {"eq", comparison},
    {"erf", unary},
    {"erfc", unary},
    {"exp", unary},
    {"exp2", unary},
    {"expm1", unary},
    {"fill", unary},
    {"floor", unary},
    {"fmax", binary},
    {"fmin", binary},
    {"fmod", binary},
    {"full", filled},
    {"ge", comparison},
    {"gt", comparison},
    {"hypot", binary},
    {"iota", iota},
    {"isfinite", unary_boolean},
    {"le", comparison},
    {"lgamma", unary},
    {"log", unary},
    {"log10", unary},
    {"log1p", unary},
    {"log2", unary},
    {"lt", comparison},
    {"maximum", binary},
    {"minimum", binary},
    {"mul", binary},
    {"ne", comparison},
    {"neg", unary},
    {"normal", filled},
    {"pow", binary},
    {"prod", reduction},
    {"reciprocal", unary},
    {"remainder", binary},
    {"reshape", reshape},
    {"rev", reverse},
    {"round", unary},
    {"rsqrt", unary},
    {"shift_left", binary},
    {"shift_right_arithmetic", binary},
    {"sign", unary},
    {"signbit", unary_boolean},
    {"sin", unary},
    {"sinh", unary},
    {"split_dim", split_dim},
    {"sqrt", unary},
    {"squeeze", squeeze},
    {"sub", binary},
    {"sum", reduction},
    {"tan", unary},
    {"tanh", unary},
    {"transpose", transpose},
    {"trunc", unary},
    {"uniform", uniform},
    {"var", reduction},
    {"view_of", itself},
    {"where", where},
};

} // namespace

std::span<const Kernel> prim_kernels() { return kernels; }

} // namespace inspector::meta_kernels
