#include <algorithm>
#include <limits>
#include <unordered_map>

#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/grad_mode.h>
#include <c10/core/Allocator.h>
#include <c10/core/TensorImpl.h>
#include <c10/util/Exception.h>
#include <torch/version.h>

#include "core/libtorch/entries.h"
#include "core/libtorch/kernel_messages.h"
#include "core/libtorch/operators/boxing.h"
#include "core/libtorch/operators/meta_kernels/register.h"
#include "core/libtorch/operators/unrolled_operators.h"

namespace inspector {
namespace {

using c10::IValue;

constexpr std::size_t max_dimensions = 64; // what torch's iterators take
constexpr std::int64_t max_unrolled_steps = 100'000;

std::optional<c10::OperatorHandle> handle_of(const Operator& op) {
    return c10::Dispatcher::singleton().findSchema({op.name, op.overload});
}

/// Kernels that are made of other operators. Only torch's own are known to touch nothing but their arguments, and of
/// them from_file opens a file.
bool may_run_composite(const Operator& op) {
    if (op.name == "aten::from_file") return false;
    return op.registered_here || op.name.starts_with("aten::") || op.name.starts_with("prims::");
}

bool has_kernel_in(const c10::OperatorHandle& handle, const Operator& op) {
    using Key = c10::DispatchKey;
    if (op.name == "aten::from_file") return false;
    if (handle.hasKernelForDispatchKey(Key::Meta)) return true;
    if (!may_run_composite(op)) return false;
    for (const Key key : {Key::CompositeImplicitAutograd, Key::CompositeExplicitAutograd,
                          Key::CompositeExplicitAutogradNonFunctional})
        if (handle.hasKernelForDispatchKey(key)) return true;
    return false;
}

/// Whether every number is in range and the last cell's byte address is one.
bool is_sane(const TensorLayout& layout) {
    if (layout.sizes.size() != layout.strides.size() || layout.storage_offset < 0) return false;
    std::int64_t last = layout.storage_offset;
    for (std::size_t i = 0; i < layout.sizes.size(); ++i) {
        if (layout.sizes[i] < 0 || layout.strides[i] < 0) return false;
        std::int64_t step = 0;
        if (__builtin_mul_overflow(std::max<std::int64_t>(layout.sizes[i] - 1, 0), layout.strides[i], &step) ||
            __builtin_add_overflow(last, step, &last))
            return false;
    }
    return last < std::numeric_limits<std::int64_t>::max() / 32; // 32: more than any element's bytes
}

/// Where a storage ends is no part of a layout, and torch 2.13's fake tensors do not ask (as_strided): it has no end.
c10::Storage make_meta_storage() {
    constexpr std::size_t endless = std::size_t{1} << 62; // a multiple of every element's size
    return c10::Storage(c10::Storage::use_byte_size_t{}, endless, c10::DataPtr(nullptr, c10::Device(c10::kMeta)),
                        c10::GetAllocator(c10::kMeta), true);
}

/// The first sentence of what a kernel said, on one line.
std::string first_sentence(const std::string& message) {
    std::string text = first_line(message);
    while (!text.empty() && (text.back() == '.' || text.back() == ' ')) text.pop_back();
    return text;
}

/// The dispatcher's words for a missing kernel talk about compiling Python; the name in them is what matters.
std::string no_kernel(const std::string& message) {
    const auto start = message.find("aten::");
    if (start == std::string::npos) return first_sentence(message);
    const auto end = message.find_first_of("' :(", start + 6);
    return message.substr(start, end - start) + " has no kernel that works on metadata alone";
}

/// An operator as the LibTorch here has it, and where the list's arguments stand in its schema.
struct Callable {
    std::optional<c10::OperatorHandle> handle;
    std::string why_not;                  ///< where there is no handle
    std::vector<std::size_t> places;      ///< of argument i of the list's schema; npos where this LibTorch lacks it
    std::size_t device_place = npos;
    bool returns_tensors = false;
    bool has_meta_kernel = false;

    static constexpr std::size_t npos = std::numeric_limits<std::size_t>::max();
};

Callable prepare(const Operator& op) {
    Callable callable;
    const auto handle = handle_of(op);
    if (!handle) {
        callable.why_not = "LibTorch " TORCH_VERSION " does not have it";
        return callable;
    }
    if (!has_kernel_in(*handle, op)) {
        callable.why_not = "it has no kernel that works on metadata alone";
        return callable;
    }
    const auto& parameters = handle->schema().arguments();
    for (const SchemaArgument& argument : op.arguments) {
        const auto found = std::find_if(parameters.begin(), parameters.end(),
                                        [&](const c10::Argument& p) { return p.name() == argument.name; });
        callable.places.push_back(found == parameters.end() ? Callable::npos
                                                            : static_cast<std::size_t>(found - parameters.begin()));
    }
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const c10::Type* type = parameters[i].type().get();
        if (const auto* optional = type->castRaw<c10::OptionalType>()) type = optional->getElementType().get();
        if (type->kind() == c10::TypeKind::DeviceObjType) callable.device_place = i;
    }
    for (const c10::Argument& result : handle->schema().returns())
        callable.returns_tensors |= result.type()->str().find("Tensor") != std::string::npos;
    callable.has_meta_kernel = handle->hasKernelForDispatchKey(c10::DispatchKey::Meta);
    callable.handle = handle;
    return callable;
}

bool holds_tensor(const IValue& value) {
    if (value.isTensor()) return value.toTensor().defined();
    if (!value.isList() || value.isIntList() || value.isDoubleList() || value.isBoolList()) return false;
    const auto items = value.toListRef();
    return std::any_of(items.begin(), items.end(), holds_tensor);
}

bool is_lazy(const MetaValue& value) {
    if (const auto* layout = std::get_if<TensorLayout>(&value.value)) return layout->conjugated || layout->negated;
    const auto* list = std::get_if<MetaList>(&value.value);
    return list && std::ranges::any_of(*list, is_lazy);
}

class MetaBackend : public MetaExecutor::Backend {
public:
    explicit MetaBackend(StorageId& next) : next_(next) {}

    Result<MetaValue> run(const Operator& op, const std::vector<MetaValue>& args,
                          const std::vector<std::pair<std::string, MetaValue>>& kwargs) override {
        try {
            const c10::WarningUtils::WarningHandlerGuard quiet(&silence_);
            // Below autograd's keys those of lazy bits come first, which copy for an operator that autograd takes apart into views.
            const at::NoGradGuard inference;
            std::optional<at::AutoDispatchBelowADInplaceOrView> faster;
            const auto is_lazy_argument = [](const auto& named) { return is_lazy(named.second); };
            if (std::ranges::none_of(args, is_lazy) && std::ranges::none_of(kwargs, is_lazy_argument)) faster.emplace();
            auto result = call(op, args, kwargs);
            if (!result && result.error().place.empty()) result.error().place = op.short_target();
            return result;
        } catch (const c10::NotImplementedError& error) {
            return fail(op.short_target(), no_kernel(error.msg()));
        } catch (const c10::Error& error) {
            return fail(op.short_target(), first_sentence(error.msg()));
        } catch (const std::exception& error) {
            return fail(op.short_target(), first_sentence(error.what()));
        }
    }

private:
    std::unordered_map<const Operator*, Callable> callables_;
    StorageId& next_; ///< the executor's
    SilentWarnings silence_;

    /// The storages of the call under way. An argument without an id gets one when a result turns out to alias it.
    struct NamedStorage {
        StorageId id;
        c10::Storage memory;
    };
    std::vector<NamedStorage> storages_;
    std::string device_;           ///< of the tensor arguments so far; empty before the first
    bool device_is_weak_ = false;  ///< it is a 0-dim CPU tensor's

    StorageId new_storage() { return next_++; }

    const c10::Storage& storage(StorageId id) {
        if (id >= next_) next_ = id + 1;
        const auto found = std::find_if(storages_.begin(), storages_.end(),
                                        [&](const NamedStorage& known) { return id != 0 && known.id == id; });
        return found != storages_.end() ? found->memory : storages_.emplace_back(NamedStorage{id, make_meta_storage()}).memory;
    }

    StorageId id_of(const c10::Storage& memory) {
        for (NamedStorage& known : storages_) {
            if (!known.memory.is_alias_of(memory)) continue;
            if (known.id == 0) known.id = new_storage();
            return known.id;
        }
        return storages_.emplace_back(NamedStorage{new_storage(), memory}).id;
    }

    void note_device(const TensorLayout& layout) {
        const bool weak = layout.sizes.empty() && layout.device == "cpu";
        if (!device_.empty() && (weak || !device_is_weak_)) return;
        device_ = layout.device;
        device_is_weak_ = weak;
    }

    Result<IValue> tensor(const TensorLayout& layout) {
        const auto type = scalar_type(layout.dtype);
        if (!type) return fail("", "this LibTorch does not know the type torch." + std::string(torch_name(layout.dtype)));
        if (layout.sizes.size() != layout.strides.size() || layout.sizes.size() > max_dimensions)
            return fail("", "a tensor has " + std::to_string(layout.sizes.size()) + " sizes and " +
                                std::to_string(layout.strides.size()) + " strides");
        if (!is_sane(layout)) return fail("", "a tensor's sizes, strides or offset are negative or too large");
        note_device(layout);
        at::Tensor tensor = at::detail::make_tensor<c10::TensorImpl>(c10::Storage(storage(layout.storage)),
                                                                     c10::DispatchKeySet(c10::DispatchKey::Meta),
                                                                     c10::scalarTypeToTypeMeta(*type));
        c10::TensorImpl* impl = tensor.unsafeGetTensorImpl();
        impl->set_sizes_and_strides(layout.sizes, layout.strides, layout.storage_offset);
        if (layout.conjugated) impl->_set_conj(true);
        if (layout.negated) impl->_set_neg(true);
        return IValue(std::move(tensor));
    }

    Result<IValue> value(const MetaValue& argument) {
        if (std::holds_alternative<std::monostate>(argument.value)) return IValue();
        if (const auto* layout = std::get_if<TensorLayout>(&argument.value)) return tensor(*layout);
        if (const auto* constant = std::get_if<Argument>(&argument.value)) return to_ivalue(*constant);
        std::vector<IValue> items;
        for (const MetaValue& item : std::get<MetaList>(argument.value)) {
            auto converted = value(item);
            if (!converted) return converted;
            items.push_back(std::move(*converted));
        }
        return make_list(std::move(items));
    }

    Result<MetaValue> result(const IValue& value) {
        if (value.isNone()) return MetaValue{};
        if (value.isTensor()) {
            const at::Tensor& tensor = value.toTensor();
            if (!tensor.defined()) return MetaValue{};
            if (tensor.layout() != c10::kStrided) return fail("", "the result is sparse or opaque, not strided");
            const auto dtype = dtype_of(tensor.scalar_type());
            if (!dtype) return fail("", std::string("the result's type is ") + c10::toString(tensor.scalar_type()));
            return MetaValue{TensorLayout{*dtype, tensor.sizes().vec(), tensor.strides().vec(), tensor.storage_offset(),
                                          device_.empty() ? "cpu" : device_, id_of(tensor.storage()), tensor.is_conj(),
                                          tensor.is_neg()}};
        }
        if (value.isList() && holds_tensor_type(value)) {
            MetaList list;
            for (const IValue& item : value.toListRef()) {
                auto converted = result(item);
                if (!converted) return converted;
                list.push_back(std::move(*converted));
            }
            return MetaValue{std::move(list)};
        }
        if (auto constant = to_argument(value)) return MetaValue{std::move(*constant)};
        return fail("", "the result is a " + value.tagKind());
    }

    static bool holds_tensor_type(const IValue& list) {
        return list.isTensorList() || list.isOptionalTensorList();
    }

    Result<MetaValue> call(const Operator& op, const std::vector<MetaValue>& args,
                           const std::vector<std::pair<std::string, MetaValue>>& kwargs);
    Result<torch::jit::Stack> arguments(const Operator& op, const Callable& callable, const std::vector<MetaValue>& args,
                                        const std::vector<std::pair<std::string, MetaValue>>& kwargs);
};

Result<torch::jit::Stack> MetaBackend::arguments(
    const Operator& op, const Callable& callable, const std::vector<MetaValue>& args,
    const std::vector<std::pair<std::string, MetaValue>>& kwargs) {
    const auto& parameters = callable.handle->schema().arguments();
    torch::jit::Stack stack(parameters.size());
    std::vector<bool> given(parameters.size(), false);

    const auto give = [&](std::size_t argument, const MetaValue& from) -> std::optional<Error> {
        const std::size_t place = callable.places[argument];
        if (place == Callable::npos)
            return Error{{}, "argument " + op.arguments[argument].name, "LibTorch " TORCH_VERSION " does not have it"};
        if (given[place]) return Error{{}, "argument " + op.arguments[argument].name, "it is given twice"};
        auto converted = value(from);
        if (!converted) return Error{{}, "argument " + op.arguments[argument].name, converted.error().reason};
        auto fitted = coerce(std::move(*converted), parameters[place], c10::Device(c10::kMeta));
        if (!fitted) return fitted.error();
        given[place] = true;
        stack[place] = std::move(*fitted);
        return std::nullopt;
    };

    if (args.size() > op.arguments.size())
        return fail("", std::to_string(args.size()) + " arguments are given, " + op.short_target() + " takes " +
                            std::to_string(op.arguments.size()));
    for (std::size_t i = 0; i < args.size(); ++i)
        if (auto error = give(i, args[i])) return tl::unexpected(std::move(*error));
    for (const auto& [name, from] : kwargs) {
        const auto found = std::find_if(op.arguments.begin(), op.arguments.end(),
                                        [&, &wanted = name](const SchemaArgument& a) { return a.name == wanted; });
        if (found == op.arguments.end()) return fail("argument " + name, op.short_target() + " does not have it");
        if (auto error = give(static_cast<std::size_t>(found - op.arguments.begin()), from))
            return tl::unexpected(std::move(*error));
    }
    for (std::size_t place = 0; place < parameters.size(); ++place) {
        if (given[place]) continue;
        if (parameters[place].default_value()) stack[place] = *parameters[place].default_value();
        else if (parameters[place].type()->kind() != c10::TypeKind::OptionalType)
            return fail("argument " + parameters[place].name(), "it is missing and has no default");
    }
    return stack;
}

Result<MetaValue> MetaBackend::call(const Operator& op, const std::vector<MetaValue>& args,
                                    const std::vector<std::pair<std::string, MetaValue>>& kwargs) {
    auto [place, is_new] = callables_.try_emplace(&op);
    if (is_new) place->second = prepare(op);
    const Callable& callable = place->second;
    if (!callable.handle) return fail("", callable.why_not);

    storages_.clear();
    device_.clear();
    device_is_weak_ = false;
    auto stack = arguments(op, callable, args, kwargs);
    if (!stack) return tl::unexpected(std::move(stack.error()));

    if (callable.device_place != Callable::npos) {
        IValue& wanted = (*stack)[callable.device_place];
        if (wanted.isDevice()) device_ = wanted.toDevice().str();
        wanted = c10::Device(c10::kMeta);
    }
    const bool makes_tensors = callable.returns_tensors && std::none_of(stack->begin(), stack->end(), holds_tensor);
    if (makes_tensors && callable.device_place == Callable::npos && !callable.has_meta_kernel)
        return fail("", "the operator would make a real tensor: it has no tensor and no device argument");
    if (unrolled_steps(op.name, *stack) > max_unrolled_steps)
        return fail("", "the operator would take more than " + std::to_string(max_unrolled_steps) + " steps");

    // A kernel that returns several of its arguments (max.dim_max) gives references into the stack it has emptied.
    const torch::jit::Stack held = *stack;
    // Without a tensor argument nothing but BackendSelect, which prims lack, tells the dispatcher where to go.
    if (makes_tensors && callable.has_meta_kernel) callable.handle->callBoxedForDispatchKey(c10::DispatchKey::Meta, *stack);
    else callable.handle->callBoxed(*stack);

    if (stack->size() == 1) return result(stack->front());
    MetaList list;
    for (const IValue& returned : *stack) {
        auto converted = result(returned);
        if (!converted) return converted;
        list.push_back(std::move(*converted));
    }
    return list.empty() ? MetaValue{} : MetaValue{std::move(list)};
}

} // namespace

std::unique_ptr<MetaExecutor::Backend> entries::make_meta_backend(StorageId& next) {
    register_meta_kernels();
    return std::make_unique<MetaBackend>(next);
}

bool entries::has_meta_kernel(const Operator& op) {
    register_meta_kernels();
    const auto handle = handle_of(op);
    return handle && has_kernel_in(*handle, op);
}

} // namespace inspector
