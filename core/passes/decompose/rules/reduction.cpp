// Reductions.
#include <array>
#include <cmath>
#include <limits>

#include "core/passes/decompose/rules/products.h"

namespace inspector::decomposition {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::vector<NamedArgument> dtype_option(Call& call) {
    if (!call.is_given("dtype")) return {};
    return {{"dtype", call.argument("dtype")}};
}

Values sum(Call& call) {
    return call.give(call.add("sum.dim_IntList", {call.tensor("self"), list(std::vector<Argument>{})}, dtype_option(call)));
}

Tensor variance(Call& call, const Tensor& x) {
    std::vector<NamedArgument> options;
    if (call.is_given("correction")) options.emplace_back("correction", call.argument("correction"));
    options.emplace_back("keepdim", call.argument("keepdim"));
    return call.add("var.correction", {x, call.argument("dim")}, std::move(options));
}

Tensor mean(Call& call, const Tensor& x) {
    std::vector<std::int64_t> all = call.dims("dim", x.rank());
    return call("mean.dim", x, list(all), call.flag("keepdim"));
}

Values deviation(Call& call) { return call.give(call("sqrt.default", variance(call, call.compute("self", false)))); }
Values deviation_and_mean(Call& call) {
    const Tensor x = call.compute("self", false);
    return call.give_all({call("sqrt.default", variance(call, x)), mean(call, x)});
}
Values variance_and_mean(Call& call) {
    const Tensor x = call.compute("self", false);
    return call.give_all({variance(call, x), mean(call, x)});
}

Values all(Call& call) {
    const Tensor is_false = call("logical_not.default", call.tensor("self"));
    const std::string& overload = call.op().overload;
    const Tensor any = overload.empty()   ? call("any.default", is_false)
                       : overload == "dim" ? call("any.dim", is_false, call.argument("dim"), call.argument("keepdim"))
                                           : call("any.dims", is_false, call.argument("dim"), call.argument("keepdim"));
    return call.give(call("logical_not.default", any));
}

Values count_nonzero(Call& call) {
    const Tensor x = call.tensor("self");
    std::vector<std::int64_t> dims;
    if (call.op().overload == "dim_IntList" || call.is_given("dim")) dims = call.dims("dim", x.rank());
    return call.give(call.sum(call("ne.Scalar", x, std::int64_t{0}), dims));
}

Values nansum(Call& call) {
    const Tensor x = call.tensor("self");
    const Tensor numbers = is_floating_point(x.dtype()) ? where(call("isnan.default", x), call.scalar(0.0, x.dtype(), x), x) : x;
    return call.give(call.add("sum.dim_IntList", {numbers, list(call.dims("dim", x.rank())), call.argument("keepdim")}, dtype_option(call)));
}

Values logsumexp(Call& call) {
    const Tensor x = call.compute("self");
    return call.give(log_sum_exp(call, x, call.dims("dim", x.rank()), call.flag("keepdim")));
}

Values extremes(Call& call) {
    const Tensor x = call.tensor("self");
    std::vector<std::int64_t> dims;
    if (call.is_given("dim")) dims = {call.dim("dim", x.rank())};
    const bool keep = call.flag("keepdim");
    return call.give_all({call("amin.default", x, list(dims), keep), call("amax.default", x, list(dims), keep)});
}

Values largest(Call& call) { return call.give(call("amax.default", call.tensor("self"))); }
Values smallest(Call& call) { return call.give(call("amin.default", call.tensor("self"))); }

Values trace(Call& call) { return call.give(call.sum(call("diagonal.default", call.tensor("self")), {0})); }

/// (sum of |x|**p) ** 1/p, and its limits.
Tensor vector_norm(Call& call, const Tensor& x, double p, const std::vector<std::int64_t>& dims, bool keep) {
    if (is_complex(x.dtype())) call.trouble("its operand is complex");
    const Tensor size = call("abs.default", x);
    if (p == infinity) return call("amax.default", size, list(dims), keep);
    if (p == -infinity) return call("amin.default", size, list(dims), keep);
    if (p == 0) return call.sum(call("ne.Scalar", x, std::int64_t{0}).to(x.dtype()), dims, keep);
    if (p == 1) return call.sum(size, dims, keep);
    if (p == 2) return call("sqrt.default", call.sum(x * x, dims, keep));
    return call("pow.Tensor_Scalar", call.sum(call("pow.Tensor_Scalar", size, p), dims, keep), 1 / p);
}

DType computed(DType dtype) { return dtype == DType::f16 || dtype == DType::bf16 ? DType::f32 : dtype; }

Values norm(Call& call) {
    const Tensor x = call.tensor("self").to(computed(call.result().dtype));
    const double p = call.is_given("p") ? call.number("p") : 2;
    const bool has_dims = call.op().overload.find("dim") != std::string::npos;
    std::vector<std::int64_t> dims = has_dims ? call.dims("dim", x.rank()) : std::vector<std::int64_t>{};
    if (!has_dims)
        for (std::int64_t i = 0; i < x.rank(); ++i) dims.push_back(i);
    return call.give(vector_norm(call, x, p, dims, has_dims && call.flag("keepdim")));
}

Values linalg_vector_norm(Call& call) {
    const Tensor x = call.tensor("self").to(computed(call.result().dtype));
    return call.give(vector_norm(call, x, call.number("ord"), call.dims("dim", x.rank()), call.flag("keepdim")));
}

Values stable_sort(Call& call) {
    // The CPU's kernel sorts stably in any case, and others need not where nobody asks.
    const bool asks = call.is_given("stable") && call.flag("stable");
    if (asks && call.tensor("self").device() != "cpu") return call.decline("it has to be stable");
    const Tensor made = call("sort.default", call.tensor("self"), call.argument("dim"), call.argument("descending"));
    return call.give_all({call.item(made, 0), call.item(made, 1)});
}

Values dist(Call& call) {
    const Tensor x = call.compute("self") - call.compute("other");
    std::vector<std::int64_t> dims;
    for (std::int64_t i = 0; i < x.rank(); ++i) dims.push_back(i);
    return call.give(vector_norm(call, x, call.number("p"), dims, false));
}

constexpr std::array rules{
    Rule{"aten.sum.default", "sum over every dimension", &sum},
    Rule{"aten.std.correction", "sqrt(var(x))", &deviation},
    Rule{"aten.std_mean.correction", "sqrt(var(x)), mean(x)", &deviation_and_mean},
    Rule{"aten.var_mean.correction", "var(x), mean(x)", &variance_and_mean},
    Rule{"aten.all.default", "not any(not x)", &all},
    Rule{"aten.all.dim", "not any(not x)", &all},
    Rule{"aten.all.dims", "not any(not x)", &all},
    Rule{"aten.count_nonzero.default", "sum(x != 0)", &count_nonzero},
    Rule{"aten.count_nonzero.dim_IntList", "sum(x != 0)", &count_nonzero},
    Rule{"aten.nansum.default", "sum(where(isnan(x), 0, x))", &nansum},
    Rule{"aten.logsumexp.default", "m + log(sum(exp(x - m))), m = amax(x)", &logsumexp},
    Rule{"aten.aminmax.default", "amin(x), amax(x)", &extremes},
    Rule{"aten.max.default", "amax over every dimension", &largest},
    Rule{"aten.min.default", "amin over every dimension", &smallest},
    Rule{"aten.trace.default", "sum(diagonal(x))", &trace},
    Rule{"aten.norm.Scalar", "sum(|x|**p) ** 1/p", &norm},
    Rule{"aten.norm.ScalarOpt_dim", "sum(|x|**p) ** 1/p", &norm},
    Rule{"aten.norm.ScalarOpt_dtype", "sum(|x|**p) ** 1/p", &norm},
    Rule{"aten.norm.ScalarOpt_dim_dtype", "sum(|x|**p) ** 1/p", &norm},
    Rule{"aten.linalg_vector_norm.default", "sum(|x|**p) ** 1/p", &linalg_vector_norm},
    Rule{"aten.dist.default", "sum(|x - y|**p) ** 1/p", &dist},
    Rule{"aten.sort.stable", "sort(x, dim, descending), which is stable on a CPU", &stable_sort},
};

} // namespace

Tensor log_sum_exp(Call& call, const Tensor& x, const std::vector<std::int64_t>& dims, bool keep) {
    const Tensor largest = call("amax.default", x, list(dims), true);
    const Tensor is_infinite = call("eq.Scalar", call("abs.default", largest), infinity);
    const Tensor shift = where(is_infinite, call.scalar(0.0, x.dtype(), x), largest);
    const Tensor log = call("log.default", call.sum(call("exp.default", x - shift), dims, keep));
    return log + (keep || dims.empty() ? shift : call("squeeze.dims", shift, list(dims)));
}

std::span<const Rule> reduction_rules() { return rules; }

} // namespace inspector::decomposition
