#include <algorithm>
#include <unordered_map>

#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/ops/empty_strided.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <c10/util/Exception.h>
#include <torch/library.h>

#include "core/libtorch/entries.h"
#include "core/libtorch/kernel_messages.h"
#include "core/libtorch/operators/boxing.h"
#include "core/libtorch/operators/meta_kernels/register.h"
#include "core/libtorch/operators/unrolled_operators.h"
#include "core/operators/operator_table.h"

namespace inspector {
namespace {

using c10::IValue;
using torch::jit::Stack;

// A key of torch's that no backend uses: while a trace includes it, every call comes to the fallback below first.
constexpr c10::DispatchKey trace_key = c10::DispatchKey::TESTING_ONLY_GenericMode;
constexpr std::size_t most_calls = 10'000;

/// Why the trace cannot go on. Thrown through torch's kernels, caught by trace_composite.
struct CannotTrace : std::runtime_error {
    using std::runtime_error::runtime_error;
};

const Operator* operator_of(const c10::OperatorHandle& handle) {
    const auto& name = handle.operator_name();
    std::string target = name.name;
    if (const auto colons = target.find("::"); colons != std::string::npos) target.replace(colons, 2, ".");
    return OperatorTable::instance().find(target + "." + (name.overload_name.empty() ? "default" : name.overload_name));
}

class Tracer {
public:
    explicit Tracer(std::string device) : device_(std::move(device)) {}

    /// Makes `tensor` the next value, in memory of its own.
    void name(const at::Tensor& tensor) { name(tensor, next_); }

    void call(const c10::OperatorHandle& handle, Stack& stack) {
        const Operator* op = operator_of(handle);
        if (!op) throw CannotTrace("it calls " + toString(handle.operator_name()) + ", which nobody here knows");
        if (!op->has_tag("core") && handle.hasKernelForDispatchKey(c10::DispatchKey::CompositeImplicitAutograd)) {
            handle.callBoxedForDispatchKey(c10::DispatchKey::CompositeImplicitAutograd, stack);
            return;
        }
        if (trace.calls.size() >= most_calls) throw CannotTrace("it makes more than " + std::to_string(most_calls) + " calls");
        if (op->has_tag("inplace_view")) record_reshaping(handle, *op, stack);
        else if (op->is_mutable) record_write(handle, *op, stack);
        else record(handle, *op, *op, stack);
    }

    Argument argument(const IValue& value, const std::string& type) {
        const std::string_view plain = std::string_view(type).substr(0, type.find('?'));
        if (value.isTensor()) return value.toTensor().defined() ? tensor_argument(value.toTensor()) : Argument(None{});
        if (value.isDevice()) return DeviceName{value.toDevice().is_meta() ? device_ : value.toDevice().str()};
        if (value.isInt() && plain == "ScalarType") {
            const auto dtype = dtype_of(static_cast<c10::ScalarType>(value.toInt()));
            if (!dtype) throw CannotTrace("it uses a type this program does not know");
            return *dtype;
        }
        if (value.isInt() && plain == "Layout") return Layout::strided;
        if (value.isInt() && plain == "MemoryFormat") {
            switch (static_cast<c10::MemoryFormat>(value.toInt())) {
            case c10::MemoryFormat::Contiguous: return MemoryFormat::contiguous;
            case c10::MemoryFormat::ChannelsLast: return MemoryFormat::channels_last;
            case c10::MemoryFormat::ChannelsLast3d: return MemoryFormat::channels_last_3d;
            default: return MemoryFormat::preserve;
            }
        }
        if (value.isList()) {
            ArgumentList list;
            for (const IValue& item : value.toListRef()) list.items.push_back(argument(item, {}));
            return list;
        }
        auto constant = to_argument(value);
        if (!constant) throw CannotTrace("it passes on a " + value.tagKind());
        return std::move(*constant);
    }

    CompositeTrace trace;

private:
    static constexpr std::size_t own_group = static_cast<std::size_t>(-1); ///< one that nothing else is of

    /// Tensors of one group may share memory. A stale one shares some that was written, and still has the old value here.
    struct Value {
        std::size_t number = 0;
        std::size_t group = 0;
        bool is_stale = false;
    };

    void name(const at::Tensor& tensor, std::size_t group) {
        alive_.push_back(tensor);
        values_[tensor.unsafeGetTensorImpl()] = {next_++, group, false};
    }

    Argument tensor_argument(const at::Tensor& tensor) {
        const auto known = values_.find(tensor.unsafeGetTensorImpl());
        if (known != values_.end()) {
            if (known->second.is_stale) throw CannotTrace("it reads a tensor after it wrote a view of it");
            return NodeReference{NodeId{static_cast<std::uint32_t>(known->second.number)}};
        }
        // Numbers that a kernel wraps as tensors of its own.
        if (tensor.dim() != 0 || !tensor.device().is_cpu()) throw CannotTrace("it uses a tensor that comes from nowhere");
        const c10::impl::ExcludeDispatchKeyGuard unseen(trace_key);
        const at::Scalar number = tensor.item();
        if (number.isBoolean()) return number.toBool();
        if (number.isIntegral(false)) return number.toLong();
        if (number.isComplex()) return std::complex<double>(number.toComplexDouble());
        return number.toDouble();
    }

    /// Fills in what `called` is given: arguments of `op`, which are in `values`, of those names.
    void describe(TracedCall& call, const c10::FunctionSchema& schema, const std::vector<IValue>& values) {
        const auto& parameters = schema.arguments();
        std::vector<std::pair<const SchemaArgument*, std::optional<Argument>>> given;
        for (const SchemaArgument& each : call.op->arguments) {
            const auto place = std::ranges::find_if(parameters, [&](const auto& p) { return p.name() == each.name; });
            if (place == parameters.end()) throw CannotTrace("this LibTorch knows " + call.op->short_target() + " otherwise");
            const IValue& value = values[static_cast<std::size_t>(place - parameters.begin())];
            const auto& standard = place->default_value();
            const bool is_default = standard && !value.isTensor() && !standard->isTensor() && *standard == value;
            given.emplace_back(&each, is_default ? std::nullopt : std::optional(argument(value, each.type)));
        }
        std::size_t last = 0;
        for (std::size_t i = 0; i < given.size(); ++i)
            if (!given[i].first->keyword_only && given[i].second) last = i + 1;
        for (std::size_t i = 0; i < given.size(); ++i) {
            const auto& [parameter, value] = given[i];
            if (parameter->keyword_only) {
                if (value) call.kwargs.emplace_back(parameter->name, *value);
            } else if (i < last) {
                const auto place = std::ranges::find_if(parameters, [&, &name = parameter->name](const auto& p) { return p.name() == name; });
                call.args.push_back(value ? *value : argument(values[static_cast<std::size_t>(place - parameters.begin())], parameter->type));
            }
        }
    }

    /// The kernel, on the meta device.
    static void run(const c10::OperatorHandle& handle, Stack& stack) {
        const auto& parameters = handle.schema().arguments();
        const std::size_t first = stack.size() - parameters.size();
        for (std::size_t i = 0; i < parameters.size(); ++i)
            if (stack[first + i].isDevice()) stack[first + i] = c10::Device(c10::kMeta);
        const c10::impl::ExcludeDispatchKeyGuard unseen(trace_key);
        handle.callBoxed(stack);
    }

    void record(const c10::OperatorHandle& handle, const Operator& op, const Operator& called, Stack& stack) {
        const auto& schema = handle.schema();
        const std::size_t first = stack.size() - schema.arguments().size();
        TracedCall call;
        call.op = &called;
        describe(call, schema, {stack.begin() + static_cast<std::ptrdiff_t>(first), stack.end()});
        // Results that the schema lets share memory share it with the first argument, or with what was returned before.
        const bool may_share = !called.returns.empty() && called.returns[0].alias.has_value();
        const auto viewed = may_share && stack[first].isTensor() ? values_.find(stack[first].toTensor().unsafeGetTensorImpl()) : values_.end();
        const std::size_t group = viewed != values_.end() ? viewed->second.group : own_group;
        run(handle, stack);
        call.first_result = next_;
        call.returns_list = op.returns.size() > 1 || (!op.returns.empty() && op.returns[0].type.ends_with("[]"));
        for (std::size_t i = first; i < stack.size(); ++i) {
            if (stack[i].isTensor()) add_result(stack[i].toTensor(), group);
            else if (stack[i].isTensorList()) for (const at::Tensor& item : stack[i].toTensorVector()) add_result(item, group);
            else if (!stack[i].isNone()) throw CannotTrace("it asks " + called.short_target() + " for a number");
        }
        call.result_count = next_ - call.first_result;
        trace.calls.push_back(std::move(call));
    }

    void add_result(const at::Tensor& tensor, std::size_t group) {
        if (!tensor.defined()) {
            ++next_;
            return;
        }
        const auto known = values_.find(tensor.unsafeGetTensorImpl());
        name(tensor, known != values_.end() ? known->second.group : group == own_group ? next_ : group);
    }

    /// A write to what the kernel made: from now on the tensor is what the functional form returns, and what shares memory
    /// with it must not be read any more.
    void record_write(const c10::OperatorHandle& handle, const Operator& op, Stack& stack) {
        const Operator* functional = OperatorTable::instance().functional_variant(op);
        const std::size_t first = stack.size() - handle.schema().arguments().size();
        const bool writes_self = !op.arguments.empty() && op.arguments[0].alias && op.arguments[0].alias->is_write &&
                                 std::ranges::count_if(op.arguments, [](const SchemaArgument& each) {
                                     return each.alias && each.alias->is_write;
                                 }) == 1;
        if (!functional || !writes_self || !stack[first].isTensor())
            throw CannotTrace("it calls " + op.short_target() + ", which writes");
        const at::Tensor written = stack[first].toTensor();
        const auto known = values_.find(written.unsafeGetTensorImpl());
        if (known == values_.end() || known->second.group < trace.input_count) throw CannotTrace("it writes what it is given");
        const std::size_t group = known->second.group;
        record(handle, op, *functional, stack); // names what it returns, which is `written`
        for (auto& [tensor, value] : values_) value.is_stale |= value.group == group && tensor != written.unsafeGetTensorImpl();
    }

    /// squeeze_ and its kin give a tensor that the kernel made another shape: from now on it is the view.
    void record_reshaping(const c10::OperatorHandle& handle, const Operator& op, Stack& stack) {
        const std::size_t first = stack.size() - handle.schema().arguments().size();
        const auto known = stack[first].isTensor() ? values_.find(stack[first].toTensor().unsafeGetTensorImpl()) : values_.end();
        if (known == values_.end() || known->second.number < trace.input_count)
            throw CannotTrace("it calls " + op.short_target() + " on what it is given");
        const auto same_name = [](const SchemaArgument& a, const SchemaArgument& b) { return a.name == b.name && a.type == b.type; };
        for (const Operator* view : OperatorTable::instance().overloads(op.name.substr(0, op.name.size() - 1)))
            if (std::ranges::equal(view->arguments, op.arguments, same_name)) return record(handle, op, *view, stack);
        throw CannotTrace("it calls " + op.short_target() + ", and no view is known that does the same");
    }

    std::string device_;
    std::unordered_map<const c10::TensorImpl*, Value> values_;
    std::vector<at::Tensor> alive_;
    std::size_t next_ = 0;
};

thread_local Tracer* current = nullptr;

void fallback(const c10::OperatorHandle& handle, Stack* stack) { current->call(handle, *stack); }

/// Lives until the process ends, as the kernels of meta_kernels/.
void register_fallback() {
    static auto& library = *[] {
        auto* made = new torch::Library(torch::Library::IMPL, "_", trace_key, __FILE__, __LINE__);
        made->fallback(torch::CppFunction::makeFromBoxedFunction<&fallback>());
        return made;
    }();
    static_cast<void>(library);
}

struct CurrentTracer {
    explicit CurrentTracer(Tracer& tracer) { current = &tracer; }
    ~CurrentTracer() { current = nullptr; }
    CurrentTracer(const CurrentTracer&) = delete;
    CurrentTracer& operator=(const CurrentTracer&) = delete;
};

Result<IValue> on_meta(const MetaValue& value, std::vector<at::Tensor>& inputs) {
    if (std::holds_alternative<std::monostate>(value.value)) return IValue();
    if (const auto* constant = std::get_if<Argument>(&value.value)) return to_ivalue(*constant);
    if (const auto* layout = std::get_if<TensorLayout>(&value.value)) {
        const auto type = scalar_type(layout->dtype);
        if (!type) return fail("", "this LibTorch does not know the type torch." + std::string(torch_name(layout->dtype)));
        inputs.push_back(at::empty_strided(layout->sizes, layout->strides, at::TensorOptions(*type).device(c10::kMeta)));
        if (layout->conjugated) inputs.back().unsafeGetTensorImpl()->_set_conj(true);
        if (layout->negated) inputs.back().unsafeGetTensorImpl()->_set_neg(true);
        return IValue(inputs.back());
    }
    std::vector<IValue> items;
    for (const MetaValue& item : std::get<MetaList>(value.value)) {
        auto made = on_meta(item, inputs);
        if (!made) return made;
        items.push_back(std::move(*made));
    }
    return make_list(std::move(items));
}

std::string device_of(const std::vector<MetaValue>& values) {
    for (const MetaValue& value : values) {
        if (const auto* layout = std::get_if<TensorLayout>(&value.value)) return layout->device;
        if (const auto* list = std::get_if<MetaList>(&value.value))
            if (const std::string found = device_of(*list); !found.empty()) return found;
    }
    return {};
}

Result<CompositeTrace> run_traced(const Operator& op, const std::vector<MetaValue>& args) {
    const auto handle = c10::Dispatcher::singleton().findSchema({op.name, op.overload});
    if (!handle || !handle->hasKernelForDispatchKey(c10::DispatchKey::CompositeImplicitAutograd))
        return fail("", "it is not made of other operators");
    const auto& parameters = handle->schema().arguments();
    if (parameters.size() != op.arguments.size()) return fail("", "this LibTorch knows it otherwise");
    std::vector<at::Tensor> inputs;
    Stack stack;
    for (std::size_t i = 0; i < args.size(); ++i) {
        auto value = on_meta(args[i], inputs);
        if (!value) return tl::unexpected(std::move(value.error()));
        if (value->isDevice()) *value = c10::Device(c10::kMeta);
        auto fitted = coerce(std::move(*value), parameters[i], c10::Device(c10::kMeta));
        if (!fitted) return tl::unexpected(std::move(fitted.error()));
        stack.push_back(std::move(*fitted));
    }
    if (unrolled_steps(op.name, stack) > static_cast<std::int64_t>(most_calls)) return fail("", "it takes too many steps");
    std::string device = device_of(args);
    Tracer tracer(device.empty() ? "cpu" : std::move(device));
    tracer.trace.input_count = inputs.size();
    for (const at::Tensor& input : inputs) tracer.name(input);
    {
        const CurrentTracer now(tracer);
        const c10::impl::IncludeDispatchKeyGuard seen(trace_key);
        handle->callBoxedForDispatchKey(c10::DispatchKey::CompositeImplicitAutograd, stack);
    }
    for (const IValue& result : stack) tracer.trace.results.push_back(tracer.argument(result, {}));
    return std::move(tracer.trace);
}

} // namespace

Result<CompositeTrace> entries::trace_composite(const Operator& op, const std::vector<MetaValue>& args) {
    register_meta_kernels();
    register_fallback();
    SilentWarnings silence;
    try {
        const c10::WarningUtils::WarningHandlerGuard quiet(&silence);
        const at::AutoDispatchBelowADInplaceOrView inference_only;
        return run_traced(op, args);
    } catch (const c10::Error& error) {
        return fail("", first_line(error.msg()));
    } catch (const std::exception& error) {
        return fail("", first_line(error.what()));
    }
}

} // namespace inspector
