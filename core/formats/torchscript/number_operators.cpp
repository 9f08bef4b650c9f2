#include "core/formats/torchscript/number_operators.h"

#include <algorithm>
#include <array>
#include <utility>

namespace inspector::torchscript {
namespace {

using Pair = std::pair<std::string_view, std::string_view>;

/// On numbers alone.
constexpr std::array on_numbers{
    Pair{"aten::add", "operator.add"},       Pair{"aten::sub", "operator.sub"},
    Pair{"aten::mul", "operator.mul"},       Pair{"aten::div", "operator.truediv"},
    Pair{"aten::floordiv", "operator.floordiv"}, Pair{"aten::remainder", "operator.mod"},
    Pair{"aten::pow", "operator.pow"},       Pair{"aten::neg", "operator.neg"},
    Pair{"aten::eq", "operator.eq"},         Pair{"aten::ne", "operator.ne"},
    Pair{"aten::lt", "operator.lt"},         Pair{"aten::le", "operator.le"},
    Pair{"aten::gt", "operator.gt"},         Pair{"aten::ge", "operator.ge"},
    Pair{"aten::__and__", "operator.and_"},  Pair{"aten::__or__", "operator.or_"},
    Pair{"aten::__not__", "operator.not_"},  Pair{"aten::Float", "torch.sym_float"},
    Pair{"aten::Int", "torch.sym_int"},      Pair{"aten::ceil", "math.ceil"},
    Pair{"aten::floor", "math.floor"},       Pair{"aten::sqrt", "math.sqrt"},
};

bool is_number(std::string_view type) { return type == "int" || type == "float" || type == "bool" || type == "Scalar"; }

/// c10::ScalarType's numbers.
std::optional<DType> scalar_type(std::int64_t number) {
    switch (number) {
    case 0: return DType::u8;
    case 1: return DType::i8;
    case 2: return DType::i16;
    case 3: return DType::i32;
    case 4: return DType::i64;
    case 5: return DType::f16;
    case 6: return DType::f32;
    case 7: return DType::f64;
    case 8: return DType::c32;
    case 9: return DType::c64;
    case 10: return DType::c128;
    case 11: return DType::b8;
    case 12: return DType::qint8;
    case 13: return DType::quint8;
    case 14: return DType::qint32;
    case 15: return DType::bf16;
    case 23: return DType::f8e5m2;
    case 24: return DType::f8e4m3fn;
    case 25: return DType::f8e5m2fnuz;
    case 26: return DType::f8e4m3fnuz;
    case 27: return DType::u16;
    case 28: return DType::u32;
    case 29: return DType::u64;
    case 44: return DType::f8e8m0fnu;
    default: return std::nullopt;
    }
}

/// c10::Layout's numbers.
std::optional<Layout> layout(std::int64_t number) {
    constexpr std::array layouts{Layout::strided,    Layout::sparse_coo, Layout::sparse_csr, Layout::mkldnn,
                                 Layout::sparse_csc, Layout::sparse_bsr, Layout::sparse_bsc, Layout::jagged};
    return number >= 0 && static_cast<std::size_t>(number) < layouts.size()
               ? std::optional(layouts[static_cast<std::size_t>(number)]) : std::nullopt;
}

/// c10::MemoryFormat's numbers.
std::optional<MemoryFormat> memory_format(std::int64_t number) {
    constexpr std::array formats{MemoryFormat::contiguous, MemoryFormat::preserve, MemoryFormat::channels_last,
                                 MemoryFormat::channels_last_3d};
    return number >= 0 && static_cast<std::size_t>(number) < formats.size()
               ? std::optional(formats[static_cast<std::size_t>(number)]) : std::nullopt;
}

} // namespace

std::optional<std::string_view> python_target(const Operator& op) {
    if (op.name == "aten::size" && op.overload == "int") return "torch.ops.aten.sym_size.int";
    const bool takes_numbers = !op.arguments.empty() && std::ranges::all_of(op.arguments, [](const SchemaArgument& argument) {
        return is_number(argument.type);
    });
    const bool returns_number = op.returns.size() == 1 && is_number(op.returns[0].type);
    if (!takes_numbers || !returns_number) return std::nullopt;
    const auto known = std::ranges::find(on_numbers, std::string_view(op.name), &Pair::first);
    return known == on_numbers.end() ? std::nullopt : std::optional(known->second);
}

Argument typed_constant(std::string_view type, Argument number) {
    if (type.ends_with('?')) type.remove_suffix(1);
    if (type == "Device")
        if (const auto* text = number.as<std::string>()) return DeviceName{*text};
    const auto* value = number.as<std::int64_t>();
    if (!value) return number;
    if (type == "ScalarType") { if (const auto dtype = scalar_type(*value)) return *dtype; }
    else if (type == "Layout") { if (const auto known = layout(*value)) return *known; }
    else if (type == "MemoryFormat") { if (const auto format = memory_format(*value)) return *format; }
    else if (type == "float") return static_cast<double>(*value);
    return number;
}

} // namespace inspector::torchscript
