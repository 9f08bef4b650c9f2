#include "core/libtorch/execution/prims.h"

#include <algorithm>

namespace inspector {
namespace {

using c10::IValue;

std::optional<IValue> keyword(const OperatorCall& call, std::string_view name) {
    const auto found = std::ranges::find(call.kwargs, name, &std::pair<std::string, IValue>::first);
    return found != call.kwargs.end() ? std::optional(found->second) : std::nullopt;
}

/// `length` integers from `start`, `step` apart.
std::optional<OperatorCall> arange(const OperatorCall& call) {
    const auto start = keyword(call, "start"), step = keyword(call, "step"), dtype = keyword(call, "dtype");
    if (call.args.size() != 1 || !call.args[0].isInt() || !start || !start->isInt() || !step || !step->isInt() || !dtype)
        return std::nullopt;
    std::int64_t end = 0;
    if (__builtin_mul_overflow(call.args[0].toInt(), step->toInt(), &end) || __builtin_add_overflow(end, start->toInt(), &end))
        return std::nullopt;
    return OperatorCall{"aten.arange.start_step", {*start, IValue(end), *step}, {{"dtype", *dtype}}};
}

} // namespace

std::optional<OperatorCall> as_aten_call(const OperatorCall& call) {
    if (call.name == "prims.convert_element_type.default" && call.args.size() == 2)
        return OperatorCall{"aten._to_copy.default", {call.args[0]}, {{"dtype", call.args[1]}}};
    if (call.name == "prims.iota.default") return arange(call);
    return std::nullopt;
}

} // namespace inspector
