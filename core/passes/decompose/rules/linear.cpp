// Products of matrices and vectors.
#include <array>

#include "core/passes/decompose/rules/products.h"

namespace inspector::decomposition {
namespace {

std::vector<Argument> front(const std::vector<Argument>& sizes, std::size_t dropped) {
    return {sizes.begin(), sizes.end() - static_cast<std::ptrdiff_t>(dropped)};
}

bool is_one(Call& call, const Argument& size) { return call.size_value(size) == SymbolicSize(1); }

/// The sizes both broadcast to. Where neither is one they are taken to be the same, as the operator has run.
std::vector<Argument> broadcast(Call& call, const std::vector<Argument>& a, const std::vector<Argument>& b) {
    const std::vector<Argument>&longer = a.size() >= b.size() ? a : b, &shorter = a.size() >= b.size() ? b : a;
    std::vector<Argument> sizes = longer;
    for (std::size_t i = 0; i < shorter.size(); ++i) {
        Argument& size = sizes[sizes.size() - shorter.size() + i];
        if (is_one(call, size)) size = shorter[i];
    }
    return sizes;
}

Tensor folded_product(Call& call, const Tensor& a, const Tensor& b) {
    std::vector<Argument> sizes = front(a.shape(), 1);
    const Tensor rows = call.reshape(a, {call.product_of(sizes), a.size(-1)});
    sizes.push_back(b.size(-1));
    return call("view.default", call("mm.default", rows, b), list(std::move(sizes)));
}

Tensor batched_product(Call& call, const Tensor& a, const Tensor& b) {
    const std::vector<Argument> batch = broadcast(call, front(a.shape(), 2), front(b.shape(), 2));
    const Argument count = call.product_of(batch);
    const auto with = [&](const Argument& rows, const Argument& columns) {
        std::vector<Argument> sizes = batch;
        sizes.push_back(rows);
        sizes.push_back(columns);
        return sizes;
    };
    const Tensor x = call.expand(a, with(a.size(-2), a.size(-1))), y = call.expand(b, with(b.size(-2), b.size(-1)));
    if (batch.size() == 1) return call("bmm.default", x, y);
    const Tensor product = call("bmm.default", call.reshape(x, {count, a.size(-2), a.size(-1)}),
                                call.reshape(y, {count, b.size(-2), b.size(-1)}));
    return call("view.default", product, list(with(a.size(-2), b.size(-1))));
}

} // namespace

Tensor matrix_product(Call& call, const Tensor& a, const Tensor& b) {
    if (!a.is_defined() || !b.is_defined() || call.has_trouble()) return {};
    if (a.rank() == 0 || b.rank() == 0) {
        call.trouble("it multiplies a number");
        return {};
    }
    if (a.rank() == 1 && b.rank() == 1) return call.sum(a * b, {0});
    if (a.rank() == 1) return call.squeeze(matrix_product(call, call.unsqueeze(a, 0), b), -2);
    if (b.rank() == 1) return call.squeeze(matrix_product(call, a, call.unsqueeze(b, 1)), -1);
    if (a.rank() == 2 && b.rank() == 2) return call("mm.default", a, b);
    return b.rank() == 2 ? folded_product(call, a, b) : batched_product(call, a, b);
}

namespace {

Values matmul(Call& call) {
    return call.give(matrix_product(call, call.tensor(call.op().arguments[0].name), call.tensor(call.op().arguments[1].name)));
}

Values linear(Call& call) {
    const Tensor x = call.tensor("input"), weight = call.tensor("weight"), bias = call.tensor("bias");
    if (weight.rank() != 2) return call.decline("its weight is no matrix");
    const Tensor columns = call.permute(weight, {1, 0});
    if (!bias.is_defined() || bias.rank() != 1 || x.rank() < 2) {
        const Tensor product = matrix_product(call, x, columns);
        return call.give(bias.is_defined() ? product + bias : product);
    }
    if (x.rank() == 2) return call.give(call("addmm.default", bias, x, columns));
    std::vector<Argument> sizes = front(x.shape(), 1);
    const Tensor rows = call.reshape(x, {call.product_of(sizes), x.size(-1)});
    sizes.push_back(weight.size(0));
    return call.give(call("view.default", call("addmm.default", bias, rows, columns), list(std::move(sizes))));
}

/// beta*self + alpha*product. A beta of 0 keeps what is no number in self out of the result.
Tensor blended(Call& call, const Tensor& self, Tensor product) {
    const double alpha = call.number("alpha"), beta = call.number("beta");
    const auto scale = [&](const Tensor& x, double factor, const char* name) { return factor == 1 ? x : x * call.argument(name); };
    product = scale(product, alpha, "alpha");
    return beta == 0 ? product : scale(self, beta, "beta") + product;
}

Values baddbmm(Call& call) {
    return call.give(blended(call, call.tensor("self"), call("bmm.default", call.tensor("batch1"), call.tensor("batch2"))));
}

Values addbmm(Call& call) {
    const Tensor product = call("bmm.default", call.tensor("batch1"), call.tensor("batch2"));
    return call.give(blended(call, call.tensor("self"), call.sum(product, {0})));
}

Values addmv(Call& call) {
    return call.give(blended(call, call.tensor("self"), matrix_product(call, call.tensor("mat"), call.tensor("vec"))));
}

Values addr(Call& call) {
    const Tensor outer = call.unsqueeze(call.tensor("vec1"), 1) * call.unsqueeze(call.tensor("vec2"), 0);
    return call.give(blended(call, call.tensor("self"), outer));
}

Values outer(Call& call) { return call.give(call.unsqueeze(call.tensor("self"), 1) * call.tensor("vec2")); }

Values vdot(Call& call) {
    const Tensor x = call.tensor("self");
    if (is_complex(x.dtype())) return call.decline("its operands are complex");
    return call.give(call.sum(x * call.tensor("other"), {0}));
}

Values linalg_cross(Call& call) {
    const Tensor a = call.tensor("self"), b = call.tensor("other");
    std::int64_t dim = call.integer("dim");
    if (dim >= 0) dim -= std::max(a.rank(), b.rank()); // so that it means the same of both
    const auto rolled = [&](const Tensor& x, std::int64_t first) {
        const Tensor order = call("cat.default", list(std::vector<Tensor>{
            call.add("arange.start_step", {first, std::int64_t{3}}, {{"dtype", DType::i64}, {"device", DeviceName{x.device()}}}),
            call.add("arange.start_step", {std::int64_t{0}, first}, {{"dtype", DType::i64}, {"device", DeviceName{x.device()}}})}));
        return call("index_select.default", x, dim, order);
    };
    return call.give(rolled(a, 1) * rolled(b, 2) - rolled(a, 2) * rolled(b, 1));
}

constexpr std::array rules{
    Rule{"aten.linear.default", "addmm(bias, x, weightᵀ), over the last dimension", &linear},
    Rule{"aten.matmul.default", "mm or bmm of operands with broadcast batches", &matmul},
    Rule{"aten.linalg_matmul.default", "mm or bmm of operands with broadcast batches", &matmul},
    Rule{"aten.mv.default", "mm(matrix, column)", &matmul},
    Rule{"aten.dot.default", "sum(x * y)", &matmul},
    Rule{"aten.vdot.default", "sum(x * y)", &vdot},
    Rule{"aten.baddbmm.default", "beta*self + alpha*bmm(batch1, batch2)", &baddbmm},
    Rule{"aten.addbmm.default", "beta*self + alpha*sum(bmm(batch1, batch2), 0)", &addbmm},
    Rule{"aten.addmv.default", "beta*self + alpha*mm(matrix, column)", &addmv},
    Rule{"aten.addr.default", "beta*self + alpha*(column * row)", &addr},
    Rule{"aten.outer.default", "column * row", &outer},
    Rule{"aten.ger.default", "column * row", &outer},
    Rule{"aten.linalg_cross.default", "a[1,2,0]*b[2,0,1] - a[2,0,1]*b[1,2,0]", &linalg_cross},
};

} // namespace

std::span<const Rule> linear_rules() { return rules; }

} // namespace inspector::decomposition
