// Strides of dimensions of size 1: what CPU kernels set is what `sound` takes them to set.
#include <QtTest>

#include <algorithm>
#include <random>

#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/ops/zeros.h>

#include "core/analysis/tensor_extent.h"
#include "core/libtorch/operators/boxing.h"
#include "core/operators/infer.h"
#include "core/operators/operator_table.h"
#include "core/passes/reinplace/unit_stride_rules.h"

using namespace inspector;
using c10::IValue;

namespace {

using Sizes = std::vector<std::int64_t>;

/// One argument, for the meta kernel and for the CPU's.
struct Drawn {
    MetaValue meta;
    IValue real;
};

class Arguments {
public:
    explicit Arguments(std::uint64_t seed) : random_(seed), only_contiguous_(seed % 4 == 0) {
        for (int i = 0, rank = pick(0, 4); i < rank; ++i) sizes_.push_back(std::array{0, 1, 1, 1, 2, 2, 3, 3}[std::size_t(pick(0, 7))]);
    }

    std::optional<Drawn> draw(const Operator& op, const SchemaArgument& argument, bool is_first) {
        const std::string& type = argument.type;
        const auto dim = [&] { return std::int64_t(pick(0, std::max(0, int(sizes_.size()) - 1))); };
        if (type == "Tensor") return tensor(laid_out(is_first ? sizes_ : fitting(), type_of(op, argument.name)));
        if (type == "Tensor[]") return list({tensor(laid_out(sizes_, DType::f32)), tensor(laid_out(sizes_, DType::f32))});
        if (type == "Tensor?[]") return list({tensor(laid_out({2}, DType::i64))});
        if (type == "Tensor?") return Drawn{};
        if (type == "Scalar" && takes_integers(op)) return Drawn{{Argument(std::int64_t(1))}, at::Scalar(std::int64_t(1))};
        if (type == "Scalar") return Drawn{{Argument(1.5)}, at::Scalar(1.5)};
        if (type == "float") return Drawn{{Argument(1.5)}, 1.5};
        if (type == "bool") return Drawn{{Argument(false)}, false};
        if (type == "str?") return Drawn{{Argument(std::string("floor"))}, std::string("floor")};
        if (type == "int" || type == "SymInt") {
            const std::int64_t value = argument.name.starts_with("dim") ? dim() : pick(1, 2);
            return Drawn{{Argument(value)}, value};
        }
        if (type.starts_with("int[") || type.starts_with("SymInt[")) return numbers(list_for(op, argument.name, dim()));
        return std::nullopt;
    }

    /// All that were drawn so far.
    [[nodiscard]] bool are_contiguous() const { return are_contiguous_; }

private:
    int pick(int low, int high) { return low + int(random_() % std::uint64_t(high - low + 1)); }

    /// Contiguous, permuted, with gaps, and any stride where the size is 1.
    TensorLayout laid_out(const Sizes& sizes, DType dtype) {
        TensorLayout layout;
        layout.dtype = dtype;
        layout.sizes = sizes;
        layout.strides.assign(sizes.size(), 1);
        std::vector<std::size_t> order;
        for (std::size_t i = sizes.size(); i-- > 0;) order.push_back(i);
        const int form = only_contiguous_ ? 0 : pick(0, 3);
        if (form >= 2) std::shuffle(order.begin(), order.end(), random_);
        std::int64_t next = 1;
        for (const std::size_t i : order) {
            layout.strides[i] = next;
            next *= std::max<std::int64_t>(sizes[i], 1) * (form == 3 && pick(0, 4) == 0 ? 2 : 1);
        }
        for (std::size_t i = 0; i < sizes.size() && form >= 1; ++i)
            if (sizes[i] == 1 && pick(0, 1)) layout.strides[i] = std::array{0, 1, 2, 3, 7, 48, 100}[std::size_t(pick(0, 6))];
        are_contiguous_ = are_contiguous_ && layout.strides == contiguous_strides(sizes);
        return layout;
    }

    /// The same sizes, or some that are broadcast to them.
    Sizes fitting() {
        Sizes sizes = sizes_;
        switch (sizes.empty() ? 0 : pick(0, 4)) {
        case 1: return {};
        case 2: sizes.erase(sizes.begin()); return sizes;
        case 3: sizes[std::size_t(pick(0, int(sizes.size()) - 1))] = 1; return sizes;
        default: return sizes;
        }
    }

    static bool takes_integers(const Operator& op) {
        return std::ranges::any_of(std::array{"bitwise", "logical", "gcd", "lcm"},
                                   [&](const char* part) { return op.name.find(part) != std::string::npos; });
    }
    static DType type_of(const Operator& op, const std::string& name) {
        if (name == "index" || name == "indices" || takes_integers(op)) return DType::i64;
        if (name == "mask" || name == "condition") return DType::b8;
        return op.name == "aten::view_as_real" ? DType::c64 : DType::f32;
    }

    Sizes list_for(const Operator& op, const std::string& name, std::int64_t dim) {
        if (op.name.find("permute") != std::string::npos) {
            Sizes order;
            for (std::size_t i = 0; i < sizes_.size(); ++i) order.push_back(std::int64_t(i));
            std::shuffle(order.begin(), order.end(), random_);
            return order;
        }
        if (name == "normalized_shape") return sizes_.empty() ? Sizes{} : Sizes{sizes_.back()};
        if (name == "pad") return {pick(0, 1), pick(0, 1)};
        return name == "size" || name == "shape" || name == "repeats" ? sizes_ : Sizes{dim};
    }

    /// Zeros: an index that is always in range.
    static Drawn tensor(const TensorLayout& layout) {
        std::int64_t end = 1;
        for (std::size_t i = 0; i < layout.sizes.size(); ++i) end += std::max<std::int64_t>(layout.sizes[i] - 1, 0) * layout.strides[i];
        const at::Tensor memory = at::zeros({end}, at::TensorOptions().dtype(*scalar_type(layout.dtype)));
        return {{layout}, memory.as_strided(layout.sizes, layout.strides, 0)};
    }
    static Drawn list(const std::vector<Drawn>& items) {
        MetaList meta;
        std::vector<IValue> real;
        for (const Drawn& item : items) {
            meta.push_back(item.meta);
            real.push_back(item.real);
        }
        return {{std::move(meta)}, make_list(std::move(real))};
    }
    static Drawn numbers(const Sizes& values) {
        ArgumentList list;
        for (const std::int64_t value : values) list.items.emplace_back(value);
        return {{Argument(std::move(list))}, values};
    }

    std::mt19937_64 random_;
    bool only_contiguous_;
    Sizes sizes_;
    bool are_contiguous_ = true;
};

std::vector<TensorLayout> layouts(const MetaValue& value) {
    if (const auto* layout = std::get_if<TensorLayout>(&value.value)) return {*layout};
    std::vector<TensorLayout> all;
    if (const auto* list = std::get_if<MetaList>(&value.value))
        for (const MetaValue& item : *list) std::ranges::copy(layouts(item), std::back_inserter(all));
    return all;
}

std::vector<at::Tensor> tensors(const std::vector<IValue>& values) {
    std::vector<at::Tensor> all;
    for (const IValue& value : values) {
        if (value.isTensor()) all.push_back(value.toTensor());
        if (value.isTensorList()) std::ranges::copy(value.toTensorVector(), std::back_inserter(all));
    }
    return all;
}

/// Runs `op` both ways on operands drawn from `seed`. nullopt: it does not take them. Else what differs; empty: nothing.
std::optional<std::string> compared(MetaExecutor& executor, const Operator& op, std::uint64_t seed) {
    const auto handle = c10::Dispatcher::singleton().findSchema({op.name, op.overload});
    if (!handle) return std::nullopt;
    Arguments arguments(seed);
    std::vector<MetaValue> args;
    std::vector<std::pair<std::string, MetaValue>> kwargs;
    std::vector<IValue> stack;
    const auto& parameters = handle->schema().arguments();
    for (std::size_t i = 0; i < op.arguments.size(); ++i) {
        if (op.arguments[i].default_text) {
            stack.push_back(parameters[i].default_value() ? *parameters[i].default_value() : IValue());
            continue;
        }
        auto drawn = arguments.draw(op, op.arguments[i], i == 0);
        if (!drawn) return std::nullopt;
        auto fitted = coerce(drawn->real, parameters[i], at::kCPU);
        if (!fitted) return std::nullopt;
        stack.push_back(std::move(*fitted));
        if (op.arguments[i].keyword_only || args.size() < i) kwargs.emplace_back(op.arguments[i].name, drawn->meta);
        else args.push_back(drawn->meta);
    }
    const bool is_like_empty = lays_out_as_empty_like(op);
    const Operator& asked = is_like_empty ? *OperatorTable::instance().find("aten.empty_like.default") : op;
    if (is_like_empty) args.resize(1);
    const auto inferred = executor.run(asked, args, kwargs);
    if (!inferred) return std::nullopt;
    try {
        handle->callBoxed(stack);
    } catch (const std::exception&) {
        return std::nullopt;
    }
    const auto expected = layouts(*inferred);
    const auto found = tensors(stack);
    if (expected.empty() || expected.size() != found.size()) return std::nullopt;
    for (std::size_t i = 0; i < found.size(); ++i) {
        const bool is_contiguous = found[i].strides() == contiguous_strides(found[i].sizes().vec());
        const bool must_be_contiguous = is_contiguous_whatever_the_operands(op) || arguments.are_contiguous();
        if ((!is_contiguous_whatever_the_operands(op) && found[i].strides() != expected[i].strides) ||
            (op.view == ViewKind::none && must_be_contiguous && !is_contiguous && found[i].numel() > 0))
            return op.short_target() + " with seed " + std::to_string(seed);
    }
    return std::string();
}

} // namespace

class TestUnitStrides : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void kernelsLayOutAsTheRulesSay();
};

void TestUnitStrides::kernelsLayOutAsTheRulesSay() {
    MetaExecutor executor;
    const at::AutoDispatchBelowADInplaceOrView inference_only;
    int operators = 0;
    std::string wrong;
    for (const Operator* op : OperatorTable::instance().all()) {
        if (op->is_mutable || op->has_tag("nondeterministic_seeded") ||
            !(follows_meta_kernel(*op) || lays_out_as_empty_like(*op)))
            continue;
        int tried = 0, differ = 0;
        std::string example;
        for (std::uint64_t seed = 1; seed <= 200; ++seed) {
            const auto difference = compared(executor, *op, seed);
            if (!difference && tried == 0 && seed > 20) break; // it takes nothing that is drawn here
            tried += difference.has_value();
            if (difference && !difference->empty()) ++differ, example = *difference;
        }
        operators += tried > 0;
        if (tried == 0) qInfo("not tried: %s", op->short_target().c_str());
        if (differ) wrong += "\n" + example + ", " + std::to_string(differ) + " of " + std::to_string(tried);
    }
    qInfo("%d operators", operators);
    QVERIFY2(wrong.empty(), wrong.c_str());
    QVERIFY(operators > 300);
}

QTEST_APPLESS_MAIN(TestUnitStrides)
#include "test_unit_strides.moc"
