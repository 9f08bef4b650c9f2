#include "core/libtorch/operators/meta_kernels/register.h"

#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <ATen/ops/as_strided.h>
#include <torch/library.h>

#include "core/libtorch/entries.h"
#include "core/libtorch/operators/meta_kernels/meta_call.h"
#include "core/operators/operator_table.h"

namespace inspector {
namespace {

using meta_kernels::Kernel;
using meta_kernels::MetaCall;
using meta_kernels::Results;

/// What writing a result into out= does to it: another size takes the result's layout, the same size keeps its own.
void fit_out(const at::Tensor& out, const at::Tensor& result) {
    if (!out.defined() || !result.defined() || out.sizes() == result.sizes()) return;
    out.resize_(result.sizes());
    out.as_strided_(result.sizes(), result.strides());
}

class BoxedRule : public c10::OperatorKernel {
public:
    explicit BoxedRule(meta_kernels::Rule rule) : rule_(rule) {}

    void operator()(const c10::OperatorHandle& op, c10::DispatchKeySet, torch::jit::Stack* stack) {
        const c10::FunctionSchema& schema = op.schema();
        Results results = rule_(MetaCall(op, *stack));
        const std::size_t first = stack->size() - schema.arguments().size();
        std::size_t next = 0;
        for (std::size_t i = 0; i < schema.arguments().size() && next < results.size(); ++i) {
            const c10::Argument& argument = schema.arguments()[i];
            if (!argument.kwarg_only() || !argument.is_out()) continue;
            const at::Tensor out = (*stack)[first + i].toTensor();
            fit_out(out, results[next]);
            results[next++] = out;
        }
        stack->resize(first);
        push_results(schema, std::move(results), *stack);
    }

private:
    static void push_results(const c10::FunctionSchema& schema, Results results, torch::jit::Stack& stack) {
        const auto& returns = schema.returns();
        if (returns.size() == 1 && returns[0].type()->kind() == c10::TypeKind::ListType) {
            stack.emplace_back(c10::List<at::Tensor>(results));
            return;
        }
        for (std::size_t i = 0; i < returns.size(); ++i) stack.emplace_back(std::move(results.at(i)));
    }

    meta_kernels::Rule rule_;
};

c10::OperatorName operator_name(std::string_view name) {
    const auto dot = name.find('.');
    return {"aten::" + std::string(name.substr(0, dot)),
            dot == std::string_view::npos ? std::string() : std::string(name.substr(dot + 1))};
}

bool is_missing(std::string_view name) {
    const auto op = c10::Dispatcher::singleton().findSchema(operator_name(name));
    return op && !op->hasKernelForDispatchKey(c10::DispatchKey::Meta);
}

torch::CppFunction boxed(const Kernel& kernel) {
    return torch::CppFunction::makeFromBoxedFunctor(std::make_unique<BoxedRule>(kernel.rule));
}

/// LibTorch without Python does not know prims: their schemas come from the list.
void register_prims() {
    static auto& library = *new torch::Library(torch::Library::FRAGMENT, "prims", std::nullopt, __FILE__, __LINE__);
    for (const Kernel& kernel : meta_kernels::prim_kernels()) {
        const std::string name = kernel.name;
        const Operator* op = OperatorTable::instance().find("prims." + name + ".default");
        if (!op || c10::Dispatcher::singleton().findSchema({op->name, ""})) continue;
        library.def(op->schema_text.substr(std::string("prims::").size()).c_str());
        library.impl(kernel.name, torch::dispatch(c10::DispatchKey::Meta, boxed(kernel)));
    }
}

std::vector<std::span<const Kernel>> aten_families() {
    using namespace meta_kernels;
    return {attention_kernels(),      convolution_kernels(), elementwise_kernels(), factory_kernels(),
            fourier_kernels(),        indexing_kernels(),    linear_algebra_kernels(), loss_kernels(),
            normalization_kernels(),  pooling_kernels(),     quantization_kernels(), reduction_kernels()};
}

// Libraries live until the process ends: taking kernels back at exit would race with torch's own end.
void register_all() {
    static auto& library = *new torch::Library(torch::Library::IMPL, "aten", c10::DispatchKey::Meta, __FILE__, __LINE__);
    for (const auto family : aten_families()) {
        for (const Kernel& kernel : family)
            if (is_missing(kernel.name))
                library.impl(kernel.name, boxed(kernel));
    }
    register_prims();
}

} // namespace

bool entries::has_own_meta_kernel(const Operator& op) {
    static const std::set<std::string> names = [] {
        std::set<std::string> all;
        for (const auto family : aten_families())
            for (const Kernel& kernel : family) all.insert("aten::" + std::string(kernel.name));
        for (const Kernel& kernel : meta_kernels::prim_kernels()) all.insert("prims::" + std::string(kernel.name));
        return all;
    }();
    return names.contains(op.qualified_name());
}

void register_meta_kernels() {
    static std::once_flag once;
    std::call_once(once, [] {
        try {
            register_all();
        } catch (const std::exception&) {
            // The dispatcher refused a kernel: its operator, and those after it, stay without.
        }
    });
}

} // namespace inspector
