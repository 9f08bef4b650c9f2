// Scaled dot product attention as the CPU computes it: query [N, heads, L, E], key [N, heads, S, E], value [N, heads, S, Ev].
#include <ATen/ExpandUtils.h>

#include "core/libtorch/operators/meta_kernels/layouts.h"

namespace inspector::meta_kernels {
namespace {

/// Heads and sequence positions swap places in memory.
at::Tensor positions_before_heads(const at::Tensor& like, c10::IntArrayRef sizes) {
    return empty({sizes[0], sizes[2], sizes[1], sizes[3]}, like).transpose(1, 2);
}

c10::ScalarType accumulation_type(c10::ScalarType type) {
    return type == c10::kHalf || type == c10::kBFloat16 ? c10::kFloat : type;
}

Results flash_attention(const MetaCall& call) {
    const at::Tensor& query = call.tensor("query");
    TORCH_CHECK(query.dim() == 4, "scaled_dot_product_attention_flash_attention: Accept only 4 dims inputs shape of {(B, H, T, K)}");
    return {dense_like(query),
            empty({query.size(0), query.size(2), query.size(1)}, query, accumulation_type(query.scalar_type())).transpose(1, 2)};
}
/// Whether the CPU takes its flash kernel, which writes the output in the query's layout.
bool takes_flash(const MetaCall& call, const at::Tensor& query, const at::Tensor& key, const at::Tensor& value) {
    const at::Tensor& mask = call.tensor("attn_mask");
    if (query.dim() != 4 || key.dim() != 4 || value.dim() != 4) return false;
    if (!query.is_floating_point() || call.number("dropout_p").toDouble() != 0.0) return false;
    if (query.size(0) != key.size(0) || query.size(0) != value.size(0)) return false;
    if (!call.flag("enable_gqa") && (query.size(1) != key.size(1) || query.size(1) != value.size(1))) return false;
    if (query.size(3) != key.size(3) || query.size(3) != value.size(3)) return false;
    if (query.size(2) == 0 || key.size(2) == 0 || query.numel() == 0) return false;
    if (query.stride(3) != 1 || key.stride(3) != 1 || value.stride(3) != 1) return false;
    if (!mask.defined()) return true;
    const auto fits = [&](std::int64_t dim, std::int64_t size) { return mask.size(dim) == size || mask.size(dim) == 1; };
    return (mask.dim() == 2 || (mask.dim() == 4 && fits(0, query.size(0)) && fits(1, query.size(1)))) &&
           fits(-2, query.size(2)) && fits(-1, key.size(2));
}

Results scaled_dot_product_attention(const MetaCall& call) {
    const at::Tensor& query = call.tensor("query");
    const at::Tensor& key = call.tensor("key");
    const at::Tensor& value = call.tensor("value");
    TORCH_CHECK(query.dim() >= 2 && key.dim() >= 2 && value.dim() >= 2,
                "scaled_dot_product_attention: Expected query, key, and value to all be at least 2 dimensional");
    TORCH_CHECK(query.size(-1) == key.size(-1) && key.size(-2) == value.size(-2),
                "scaled_dot_product_attention: the sizes of query, key and value do not match: ", query.sizes(), ", ", key.sizes(),
                ", ", value.sizes());
    if (takes_flash(call, query, key, value)) return {dense_like(query)};
    const auto batch = [](const at::Tensor& t) { return t.sizes().slice(0, static_cast<std::size_t>(t.dim() - 2)); };
    Sizes sizes = call.flag("enable_gqa") ? batch(query).vec()
                                          : at::infer_size(batch(query), at::infer_size(batch(key), batch(value)));
    sizes.insert(sizes.end(), {query.size(-2), value.size(-1)});
    return {empty(sizes, query)};
}

Results flash_attention_backward(const MetaCall& call) {
    Results gradients;
    for (const char* name : {"query", "key", "value"})
        gradients.push_back(positions_before_heads(call.tensor(name), call.tensor(name).sizes()));
    return gradients;
}

constexpr Kernel kernels[] = {
    {"_scaled_dot_product_flash_attention_for_cpu", flash_attention},
    {"_scaled_dot_product_flash_attention_for_cpu_backward", flash_attention_backward},
    {"scaled_dot_product_attention", scaled_dot_product_attention},
};

} // namespace

std::span<const Kernel> attention_kernels() { return kernels; }

} // namespace inspector::meta_kernels
