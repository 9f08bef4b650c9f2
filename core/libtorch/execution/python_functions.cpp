#include "core/libtorch/execution/python_functions.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <ATen/core/dispatch/Dispatcher.h>

#include "core/libtorch/operators/boxing.h"

namespace inspector {
namespace {

using c10::IValue;
using Args = std::vector<IValue>;

bool is_integral(const IValue& value) { return value.isInt() || value.isBool(); }
std::int64_t integer(const IValue& value) { return value.isBool() ? value.toBool() : value.toInt(); }
double real(const IValue& value) { return value.isDouble() ? value.toDouble() : static_cast<double>(integer(value)); }
bool is_number(const IValue& value) { return is_integral(value) || value.isDouble(); }
bool truth(const IValue& value) { return value.isDouble() ? value.toDouble() != 0 : integer(value) != 0; }

std::int64_t floor_divide(std::int64_t a, std::int64_t b) { return a / b - ((a % b != 0 && (a < 0) != (b < 0)) ? 1 : 0); }

Result<IValue> overflow() { return fail("", "the integer result does not fit 64 bits"); }

using Exact = bool (*)(std::int64_t, std::int64_t, std::int64_t*);
Result<IValue> arithmetic(const Args& args, Exact exact, double (*inexact)(double, double)) {
    if (!is_integral(args[0]) || !is_integral(args[1])) return IValue(inexact(real(args[0]), real(args[1])));
    std::int64_t value = 0;
    if (exact(integer(args[0]), integer(args[1]), &value)) return overflow();
    return IValue(value);
}

template <typename Compare> Result<IValue> compare(const Args& args, Compare compare) {
    if (is_integral(args[0]) && is_integral(args[1])) return IValue(compare(integer(args[0]), integer(args[1])));
    return IValue(compare(real(args[0]), real(args[1])));
}

bool divides_by_zero(const Args& args) { return real(args[1]) == 0; }

Result<IValue> floordiv(const Args& args) {
    if (divides_by_zero(args)) return fail("", "division by zero");
    if (!is_integral(args[0]) || !is_integral(args[1])) return IValue(std::floor(real(args[0]) / real(args[1])));
    if (integer(args[0]) == INT64_MIN && integer(args[1]) == -1) return overflow();
    return IValue(floor_divide(integer(args[0]), integer(args[1])));
}

Result<IValue> modulo(const Args& args) {
    if (divides_by_zero(args)) return fail("", "division by zero");
    if (is_integral(args[0]) && is_integral(args[1])) {
        const std::int64_t a = integer(args[0]), b = integer(args[1]);
        if (b == -1) return IValue(std::int64_t(0));
        return IValue(a - b * floor_divide(a, b));
    }
    const double a = real(args[0]), b = real(args[1]), rest = std::fmod(a, b);
    return IValue(rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest);
}

Result<IValue> power(const Args& args) {
    if (!is_integral(args[0]) || !is_integral(args[1]) || integer(args[1]) < 0)
        return IValue(std::pow(real(args[0]), real(args[1])));
    const std::int64_t base = integer(args[0]), exponent = integer(args[1]);
    if (base == 0 || base == 1) return IValue(exponent == 0 ? std::int64_t(1) : base);
    if (base == -1) return IValue(std::int64_t(exponent % 2 == 0 ? 1 : -1));
    std::int64_t result = 1;
    for (std::int64_t i = 0; i < exponent; ++i)
        if (__builtin_mul_overflow(result, base, &result)) return overflow();
    return IValue(result);
}

Result<IValue> to_integer(double value) {
    if (!(value > -9.2e18 && value < 9.2e18)) return overflow();
    return IValue(static_cast<std::int64_t>(value));
}

struct NumberFunction {
    std::string_view target;
    std::size_t arity;
    Result<IValue> (*call)(const Args&);
    const char* tensor_operator; ///< does the same on tensors; null where nothing does
};

constexpr auto add = [](std::int64_t a, std::int64_t b, std::int64_t* r) { return __builtin_add_overflow(a, b, r); };
constexpr auto subtract = [](std::int64_t a, std::int64_t b, std::int64_t* r) { return __builtin_sub_overflow(a, b, r); };
constexpr auto multiply = [](std::int64_t a, std::int64_t b, std::int64_t* r) { return __builtin_mul_overflow(a, b, r); };

const std::array number_functions{
    NumberFunction{"operator.add", 2, [](const Args& a) { return arithmetic(a, add, [](double x, double y) { return x + y; }); }, "aten::add.Tensor"},
    NumberFunction{"operator.sub", 2, [](const Args& a) { return arithmetic(a, subtract, [](double x, double y) { return x - y; }); }, "aten::sub.Tensor"},
    NumberFunction{"operator.mul", 2, [](const Args& a) { return arithmetic(a, multiply, [](double x, double y) { return x * y; }); }, "aten::mul.Tensor"},
    NumberFunction{"operator.truediv", 2, [](const Args& a) -> Result<IValue> {
        if (divides_by_zero(a)) return fail("", "division by zero");
        return IValue(real(a[0]) / real(a[1])); }, "aten::div.Tensor"},
    NumberFunction{"operator.floordiv", 2, floordiv, "aten::floor_divide"},
    NumberFunction{"operator.mod", 2, modulo, "aten::remainder.Tensor"},
    NumberFunction{"operator.pow", 2, power, "aten::pow.Tensor_Tensor"},
    NumberFunction{"operator.matmul", 2, [](const Args&) -> Result<IValue> { return fail("", "operator.matmul takes tensors"); }, "aten::matmul"},
    NumberFunction{"operator.neg", 1, [](const Args& a) -> Result<IValue> {
        if (a[0].isDouble()) return IValue(-a[0].toDouble());
        if (integer(a[0]) == INT64_MIN) return overflow();
        return IValue(-integer(a[0])); }, "aten::neg"},
    NumberFunction{"operator.eq", 2, [](const Args& a) { return compare(a, [](auto x, auto y) { return x == y; }); }, "aten::eq.Tensor"},
    NumberFunction{"operator.ne", 2, [](const Args& a) { return compare(a, [](auto x, auto y) { return x != y; }); }, "aten::ne.Tensor"},
    NumberFunction{"operator.lt", 2, [](const Args& a) { return compare(a, [](auto x, auto y) { return x < y; }); }, "aten::lt.Tensor"},
    NumberFunction{"operator.le", 2, [](const Args& a) { return compare(a, [](auto x, auto y) { return x <= y; }); }, "aten::le.Tensor"},
    NumberFunction{"operator.gt", 2, [](const Args& a) { return compare(a, [](auto x, auto y) { return x > y; }); }, "aten::gt.Tensor"},
    NumberFunction{"operator.ge", 2, [](const Args& a) { return compare(a, [](auto x, auto y) { return x >= y; }); }, "aten::ge.Tensor"},
    NumberFunction{"operator.and_", 2, [](const Args& a) -> Result<IValue> {
        if (a[0].isBool() && a[1].isBool()) return IValue(a[0].toBool() && a[1].toBool());
        return IValue(integer(a[0]) & integer(a[1])); }, "aten::bitwise_and.Tensor"},
    NumberFunction{"operator.or_", 2, [](const Args& a) -> Result<IValue> {
        if (a[0].isBool() && a[1].isBool()) return IValue(a[0].toBool() || a[1].toBool());
        return IValue(integer(a[0]) | integer(a[1])); }, "aten::bitwise_or.Tensor"},
    NumberFunction{"operator.not_", 1, [](const Args& a) -> Result<IValue> { return IValue(!truth(a[0])); }, nullptr},
    NumberFunction{"torch.sym_not", 1, [](const Args& a) -> Result<IValue> { return IValue(!truth(a[0])); }, nullptr},
    NumberFunction{"torch.sym_int", 1, [](const Args& a) -> Result<IValue> {
        return a[0].isDouble() ? to_integer(std::trunc(a[0].toDouble())) : Result<IValue>(IValue(integer(a[0]))); }, nullptr},
    NumberFunction{"torch.sym_float", 1, [](const Args& a) -> Result<IValue> { return IValue(real(a[0])); }, nullptr},
    NumberFunction{"torch.sym_max", 2, [](const Args& a) -> Result<IValue> { return real(a[0]) >= real(a[1]) ? a[0] : a[1]; }, nullptr},
    NumberFunction{"torch.sym_min", 2, [](const Args& a) -> Result<IValue> { return real(a[0]) <= real(a[1]) ? a[0] : a[1]; }, nullptr},
    NumberFunction{"torch.sym_ite", 3, [](const Args& a) -> Result<IValue> { return truth(a[0]) ? a[1] : a[2]; }, nullptr},
    NumberFunction{"math.ceil", 1, [](const Args& a) { return to_integer(std::ceil(real(a[0]))); }, nullptr},
    NumberFunction{"math.floor", 1, [](const Args& a) { return to_integer(std::floor(real(a[0]))); }, nullptr},
    NumberFunction{"math.trunc", 1, [](const Args& a) { return to_integer(std::trunc(real(a[0]))); }, nullptr},
    NumberFunction{"math.sqrt", 1, [](const Args& a) -> Result<IValue> { return IValue(std::sqrt(real(a[0]))); }, nullptr},
    NumberFunction{"torch._sym_sqrt", 1, [](const Args& a) -> Result<IValue> { return IValue(std::sqrt(real(a[0]))); }, nullptr},
};

Result<IValue> getitem(const Args& args) {
    if (args.size() != 2 || !args[1].isInt()) return fail("", "only an item of a list or tuple, by an integer, can be taken");
    std::vector<IValue> items;
    if (args[0].isTuple()) items = args[0].toTupleRef().elements().vec();
    else if (args[0].isList()) items = args[0].toListRef().vec();
    else return fail("", "the value has no items");
    std::int64_t index = args[1].toInt();
    const auto count = static_cast<std::int64_t>(items.size());
    if (index < 0) index += count;
    if (index < 0 || index >= count)
        return fail("", "item " + std::to_string(args[1].toInt()) + " of " + std::to_string(count));
    return items[static_cast<std::size_t>(index)];
}

Result<IValue> on_tensors(const NumberFunction& function, const Args& args) {
    if (!function.tensor_operator) return fail("", std::string(function.target) + " takes numbers");
    std::string name = function.tensor_operator, overload;
    if (const auto dot = name.find('.'); dot != std::string::npos) {
        overload = name.substr(dot + 1);
        name.resize(dot);
    }
    const auto handle = c10::Dispatcher::singleton().findSchemaOrThrow(name.c_str(), overload.c_str());
    torch::jit::Stack stack;
    const auto& parameters = handle.schema().arguments();
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        if (i >= args.size()) {
            stack.push_back(parameters[i].default_value().value_or(IValue()));
            continue;
        }
        auto fitted = coerce(args[i], parameters[i], c10::Device(c10::kCPU));
        if (!fitted) return fitted;
        stack.push_back(std::move(*fitted));
    }
    handle.callBoxed(stack);
    return stack.front();
}

} // namespace

std::optional<Result<IValue>> call_python_function(std::string_view target, const Args& args) {
    if (target.starts_with("_operator.")) target.remove_prefix(1);
    if (target == "operator.getitem") return getitem(args);
    const auto function = std::ranges::find(number_functions, target, &NumberFunction::target);
    if (function == number_functions.end()) return std::nullopt;
    if (args.size() != function->arity)
        return Result<IValue>(fail("", std::string(target) + " takes " + std::to_string(function->arity) + " arguments"));
    if (std::ranges::all_of(args, is_number)) return function->call(args);
    if (std::ranges::any_of(args, [](const IValue& a) { return a.isTensor(); })) return on_tensors(*function, args);
    return Result<IValue>(fail("", std::string(target) + " takes numbers or tensors"));
}

} // namespace inspector
