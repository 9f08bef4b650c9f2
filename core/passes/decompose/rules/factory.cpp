// Tensors made of numbers.
#include <array>
#include <cmath>

#include "core/passes/decompose/rule.h"

namespace inspector::decomposition {
namespace {

Values arange(Call& call) {
    const Argument start = call.op().overload == "start" ? call.argument("start") : Argument(std::int64_t{0});
    return call.give(call.add("arange.start_step", {start, call.argument("end")}, call.factory_options()));
}

Values filled(Call& call, const Argument& value) {
    return call.give(call.add("full.default", {call.argument("size"), value}, call.factory_options()));
}
Values zeros(Call& call) { return filled(call, std::int64_t{0}); }
Values ones(Call& call) { return filled(call, std::int64_t{1}); }
Values new_full(Call& call) { return filled(call, call.argument("fill_value")); }

Values filled_like(Call& call, const Argument& value) {
    std::vector<NamedArgument> options;
    for (const char* name : {"dtype", "layout", "device", "pin_memory", "memory_format"})
        if (call.is_given(name)) options.emplace_back(name, call.argument(name));
    return call.give(call.add("full_like.default", {call.tensor("self"), value}, std::move(options)));
}
Values zeros_like(Call& call) { return filled_like(call, std::int64_t{0}); }
Values ones_like(Call& call) { return filled_like(call, std::int64_t{1}); }

Values zero(Call& call) { return call.give(call("full_like.default", call.tensor("self"), std::int64_t{0})); }

Values fill_tensor(Call& call) {
    const Tensor x = call.tensor("self");
    return call.give(call("copy.default", x, call.tensor("value")));
}

Values new_empty(Call& call) { return call.give(call.add("empty.memory_format", {call.argument("size")}, call.factory_options())); }

Values new_empty_strided(Call& call) {
    return call.give(call.add("empty_strided.default", {call.argument("size"), call.argument("stride")}, call.factory_options()));
}

Values empty_like(Call& call) {
    const Tensor x = call.tensor("self");
    return call.give(call.add("empty.memory_format", {list(x.shape())}, call.factory_options()));
}

/// -1 at and above no diagonal: row + offset against column.
Tensor diagonal_places(Call& call, const Argument& rows, const Argument& columns, const Tensor& like) {
    return call.arange(columns, DType::i64, like) - call.unsqueeze(call.arange(rows, DType::i64, like), 1);
}

Values eye(Call& call) {
    const Argument rows = call.argument("n"), columns = call.op().overload == "m" ? call.argument("m") : rows;
    const TensorMeta wanted = call.result();
    const DeviceName device{wanted.device.value_or("cpu")};
    const auto count = [&](const Argument& end) {
        return call.add("arange.start_step", {std::int64_t{0}, end}, {{"dtype", DType::i64}, {"device", device}});
    };
    return call.give(call("eq.Tensor", call.unsqueeze(count(rows), 1), count(columns)));
}

Values triangle(Call& call, const char* comparison) {
    const Tensor x = call.tensor("self");
    if (x.rank() < 2) return call.decline("its operand is no matrix");
    const Tensor inside = call(comparison, diagonal_places(call, x.size(-2), x.size(-1), x), call.argument("diagonal"));
    const Argument zero = x.dtype() == DType::b8 ? Argument(false) : Argument(std::int64_t{0});
    return call.give(where(inside, x, call.scalar(zero, x.dtype(), x)));
}
Values tril(Call& call) { return triangle(call, "le.Scalar"); }
Values triu(Call& call) { return triangle(call, "ge.Scalar"); }

/// From both ends to the middle, so that both ends are met exactly.
Tensor even_steps(Call& call) {
    const std::int64_t steps = call.integer("steps");
    const double start = call.number("start"), end = call.number("end");
    const TensorMeta wanted = call.result();
    const bool is_float = is_floating_point(wanted.dtype);
    if (!is_float) call.trouble("it counts in whole numbers");
    const DType dtype = wanted.dtype == DType::f64 ? DType::f64 : DType::f32;
    const std::vector<NamedArgument> options{{"dtype", dtype}, {"device", DeviceName{wanted.device.value_or("cpu")}}};
    if (steps <= 1) return call.add("full.default", {list(std::vector<std::int64_t>{steps}), start}, options);
    const double step = (end - start) / static_cast<double>(steps - 1);
    const Tensor place = call.add("arange.start_step", {std::int64_t{0}, steps}, options);
    const Tensor is_low = call("lt.Scalar", place, static_cast<double>(steps) / 2);
    return where(is_low, place * step + start, Argument(end) - (Argument(static_cast<double>(steps - 1)) - place) * step);
}

Values linspace(Call& call) { return call.give(even_steps(call)); }
Values logspace(Call& call) {
    return call.give(call("pow.Scalar", call.number("base"), even_steps(call)));
}

Values lift_fresh_copy(Call& call) { return call.give(call("clone.default", call.tensor("self"))); }

constexpr std::array rules{
    Rule{"aten.arange.default", "arange(0, end, 1)", &arange},
    Rule{"aten.arange.start", "arange(start, end, 1)", &arange},
    Rule{"aten.zeros.default", "full(size, 0)", &zeros},
    Rule{"aten.ones.default", "full(size, 1)", &ones},
    Rule{"aten.new_zeros.default", "full(size, 0)", &zeros},
    Rule{"aten.new_ones.default", "full(size, 1)", &ones},
    Rule{"aten.new_full.default", "full(size, value)", &new_full},
    Rule{"aten.zeros_like.default", "full_like(x, 0)", &zeros_like},
    Rule{"aten.ones_like.default", "full_like(x, 1)", &ones_like},
    Rule{"aten.zero.default", "full_like(x, 0)", &zero},
    Rule{"aten.fill.Tensor", "copy(x, value)", &fill_tensor},
    Rule{"aten.new_empty.default", "empty(size)", &new_empty},
    Rule{"aten.new_empty_strided.default", "empty_strided(size, stride)", &new_empty_strided},
    Rule{"aten.empty_like.default", "empty(size)", &empty_like},
    Rule{"aten.eye.default", "row == column", &eye},
    Rule{"aten.eye.m", "row == column", &eye},
    Rule{"aten.tril.default", "where(column - row <= diagonal, x, 0)", &tril},
    Rule{"aten.triu.default", "where(column - row >= diagonal, x, 0)", &triu},
    Rule{"aten.linspace.default", "start + i*step, from the end in the second half", &linspace},
    Rule{"aten.logspace.default", "base ** linspace(start, end)", &logspace},
    Rule{"aten.lift_fresh_copy.default", "clone(x)", &lift_fresh_copy},
};

} // namespace

std::span<const Rule> factory_rules() { return rules; }

} // namespace inspector::decomposition
