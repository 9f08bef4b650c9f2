// The custom operators that tests/data/inductor calls, as make_cases.py defines them in Python.
#include <ATen/ATen.h>
#include <torch/library.h>

TORCH_LIBRARY(mylib, library) {
    library.def("scale_(Tensor(a!) x, float f) -> ()", [](at::Tensor x, double f) { x.mul_(f); });
    library.def("reverse_into(Tensor(a!) dst, Tensor src) -> ()", [](at::Tensor dst, const at::Tensor& src) {
        const std::int64_t size = dst.size(0);
        for (std::int64_t i = 0; i < size; ++i) dst.select(0, i).copy_(src.select(0, size - 1 - i));
    });
    library.def("exchange(Tensor(a!) x, Tensor(b!) y) -> Tensor", [](at::Tensor x, at::Tensor y) {
        at::Tensor total = x.sum() + y.sum();
        x.add_(1);
        y.sub_(1);
        return total;
    });
    // Of the compile logs.
    library.def("accum(Tensor(a!) acc, Tensor t) -> Tensor", [](at::Tensor acc, const at::Tensor& t) {
        acc.add_(t);
        return acc.sum(1);
    });
    library.def(
        "write_kv(Tensor k, Tensor v, Tensor(a!) k_cache, Tensor(b!) v_cache, Tensor pos) -> ()",
        [](const at::Tensor& k, const at::Tensor& v, at::Tensor k_cache, at::Tensor v_cache, const at::Tensor& pos) {
            k_cache.index_copy_(0, pos, k);
            v_cache.index_copy_(0, pos, v);
        });
}
