// Scaled dot product attention.
#include <array>
#include <cmath>
#include <limits>

#include "core/passes/decompose/rules/products.h"

namespace inspector::decomposition {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Queries may look at keys up to their own place.
Tensor causal_mask(Call& call, const Tensor& query, const Tensor& key) {
    const Tensor rows = call.unsqueeze(call.arange(query.size(-2), DType::i64, query), 1);
    return call("le.Tensor", call.arange(key.size(-2), DType::i64, query), rows);
}

/// 0 where the mask lets a key be seen, else -inf.
Tensor as_addend(Call& call, const Tensor& mask, DType dtype) {
    return where(mask, call.scalar(0.0, dtype, mask), call.scalar(-infinity, dtype, mask));
}

/// Heads of `x` repeated until there are as many as `query` has.
Tensor repeat_heads(Call& call, const Tensor& x, const Tensor& query) {
    const auto heads = x.constant_size(-3), wanted = query.constant_size(-3);
    if (!heads || !wanted || *heads == 0 || *wanted % *heads != 0) {
        call.trouble("the numbers of heads are no constant multiples");
        return x;
    }
    if (*heads == *wanted) return x;
    std::vector<Argument> sizes = x.shape();
    const auto place = sizes.end() - 2;
    const std::int64_t repeats = *wanted / *heads;
    sizes.insert(place, repeats);
    const Tensor repeated = call("expand.default", call.unsqueeze(x, -3), list(sizes));
    std::vector<Argument> merged = x.shape();
    merged[merged.size() - 3] = *wanted;
    return call.reshape(repeated, merged);
}

struct Attention {
    Tensor output;
    Tensor scores; ///< before softmax
};

Attention attend(Call& call, bool may_group) {
    Tensor query = call.compute("query", false), key = call.compute("key", false), value = call.compute("value", false);
    if (call.number("dropout_p") != 0) {
        call.trouble("it draws random numbers in an order of its own");
        return {};
    }
    if (may_group && call.flag("enable_gqa")) {
        key = repeat_heads(call, key, query);
        value = repeat_heads(call, value, query);
    }
    double scale = 0;
    if (call.is_given("scale")) scale = call.number("scale");
    else if (const auto depth = query.constant_size(-1)) scale = 1 / std::sqrt(static_cast<double>(*depth));
    else call.trouble("the size of a head is no constant");
    // Each side takes the root of the scale, which keeps the products small.
    if (scale < 0) call.trouble("its scale is negative");
    const double root = std::sqrt(scale);
    Tensor scores = matrix_product(call, query * root, call.transpose(key, -1, -2) * root);
    Tensor mask = call.tensor("attn_mask");
    bool may_be_empty = mask.is_defined(); // a row of a mask may let nothing be seen
    if (call.flag("is_causal")) {
        const Tensor causal = causal_mask(call, query, key);
        scores = scores + as_addend(call, causal, scores.dtype());
    }
    if (mask.is_defined())
        scores = scores + (mask.dtype() == DType::b8 ? as_addend(call, mask, scores.dtype()) : mask.to(scores.dtype()));
    const Tensor weights = may_be_empty ? safe_softmax(call, scores, -1) : call("_softmax.default", scores, std::int64_t{-1}, false);
    return {matrix_product(call, weights, value), scores};
}

Values scaled_dot_product_attention(Call& call) { return call.give(attend(call, true).output); }

Values flash_attention_for_cpu(Call& call) {
    const Attention made = attend(call, false);
    return call.give_all({made.output, call.is_used(1) ? log_sum_exp(call, made.scores, {-1}, false) : Tensor()});
}

Values safe_softmax_rule(Call& call) {
    const Tensor x = call.compute("self");
    return call.give(safe_softmax(call, x, call.dim("dim", x.rank())));
}

constexpr std::array rules{
    Rule{"aten.scaled_dot_product_attention.default", "softmax(q kᵀ * scale + mask) v", &scaled_dot_product_attention},
    Rule{"aten._scaled_dot_product_flash_attention_for_cpu.default", "softmax(q kᵀ * scale + mask) v, and its log sums",
         &flash_attention_for_cpu},
    Rule{"aten._safe_softmax.default", "softmax(x), and 0 in rows that are -inf throughout", &safe_softmax_rule},
};

} // namespace

Tensor safe_softmax(Call& call, const Tensor& x, std::int64_t dim) {
    const Tensor is_hidden = call("eq.Scalar", x, -infinity);
    const Tensor sees_some = call("any.dim", call("logical_not.default", is_hidden), dim, true);
    const Tensor weights = call("_softmax.default", x, dim, false);
    return where(sees_some, weights, call.scalar(0.0, weights.dtype(), x));
}

std::span<const Rule> attention_rules() { return rules; }

} // namespace inspector::decomposition
