#include "core/libtorch/operators/boxing.h"

#include <algorithm>
#include <string>
#include <utility>

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <torch/version.h>

namespace inspector {
namespace {

using c10::IValue;
using c10::TypeKind;

constexpr std::pair<DType, c10::ScalarType> scalar_types[] = {
    {DType::u8, c10::ScalarType::Byte},
    {DType::i8, c10::ScalarType::Char},
    {DType::i16, c10::ScalarType::Short},
    {DType::i32, c10::ScalarType::Int},
    {DType::i64, c10::ScalarType::Long},
    {DType::u16, c10::ScalarType::UInt16},
    {DType::u32, c10::ScalarType::UInt32},
    {DType::u64, c10::ScalarType::UInt64},
    {DType::f16, c10::ScalarType::Half},
    {DType::bf16, c10::ScalarType::BFloat16},
    {DType::f32, c10::ScalarType::Float},
    {DType::f64, c10::ScalarType::Double},
    {DType::c32, c10::ScalarType::ComplexHalf},
    {DType::c64, c10::ScalarType::ComplexFloat},
    {DType::c128, c10::ScalarType::ComplexDouble},
    {DType::b8, c10::ScalarType::Bool},
    {DType::f8e5m2, c10::ScalarType::Float8_e5m2},
    {DType::f8e4m3fn, c10::ScalarType::Float8_e4m3fn},
    {DType::f8e5m2fnuz, c10::ScalarType::Float8_e5m2fnuz},
    {DType::f8e4m3fnuz, c10::ScalarType::Float8_e4m3fnuz},
    {DType::qint8, c10::ScalarType::QInt8},
    {DType::quint8, c10::ScalarType::QUInt8},
    {DType::qint32, c10::ScalarType::QInt32},
    {DType::bits8, c10::ScalarType::Bits8},
#if TORCH_VERSION_MAJOR > 2 || TORCH_VERSION_MINOR >= 8
    {DType::f8e8m0fnu, c10::ScalarType::Float8_e8m0fnu},
    {DType::f4e2m1fn_x2, c10::ScalarType::Float4_e2m1fn_x2},
#endif
};

std::int64_t layout_number(Layout layout) {
    switch (layout) {
        case Layout::strided: return static_cast<std::int64_t>(c10::kStrided);
        case Layout::sparse_coo: return static_cast<std::int64_t>(c10::kSparse);
        case Layout::sparse_csr: return static_cast<std::int64_t>(c10::kSparseCsr);
        case Layout::sparse_csc: return static_cast<std::int64_t>(c10::kSparseCsc);
        case Layout::sparse_bsr: return static_cast<std::int64_t>(c10::kSparseBsr);
        case Layout::sparse_bsc: return static_cast<std::int64_t>(c10::kSparseBsc);
        case Layout::mkldnn: return static_cast<std::int64_t>(c10::kMkldnn);
        case Layout::jagged: return static_cast<std::int64_t>(c10::kJagged);
    }
    return static_cast<std::int64_t>(c10::kStrided);
}

std::int64_t memory_format_number(MemoryFormat format) {
    switch (format) {
        case MemoryFormat::contiguous: return static_cast<std::int64_t>(c10::MemoryFormat::Contiguous);
        case MemoryFormat::channels_last: return static_cast<std::int64_t>(c10::MemoryFormat::ChannelsLast);
        case MemoryFormat::channels_last_3d: return static_cast<std::int64_t>(c10::MemoryFormat::ChannelsLast3d);
        case MemoryFormat::preserve: break;
    }
    return static_cast<std::int64_t>(c10::MemoryFormat::Preserve);
}

/// torch counts such a tensor as a Python number when it promotes types.
at::Tensor number_tensor(const IValue& number, c10::Device device) {
    const at::Scalar scalar = number.toScalar();
    at::Tensor tensor = at::empty({}, at::TensorOptions().dtype(scalar.type()).device(device));
    if (!device.is_meta()) tensor.fill_(scalar);
    tensor.unsafeGetTensorImpl()->set_wrapped_number(true);
    return tensor;
}

bool is_number(const IValue& value) {
    return value.isInt() || value.isDouble() || value.isBool() || value.isComplexDouble();
}

/// Leaves `out` untouched and returns false where the value does not fit.
class Coercion {
public:
    explicit Coercion(c10::Device number_device) : number_device_(number_device) {}

    bool fit(IValue& value, const c10::Type& type, std::optional<std::int32_t> length = {}) const {
        switch (type.kind()) {
            case TypeKind::OptionalType:
                return value.isNone() || fit(value, *type.castRaw<c10::OptionalType>()->getElementType(), length);
            case TypeKind::TensorType: return fit_tensor(value);
            case TypeKind::IntType:
            case TypeKind::SymIntType:
                if (value.isBool()) value = static_cast<std::int64_t>(value.toBool());
                return value.isInt();
            case TypeKind::FloatType:
            case TypeKind::SymFloatType:
                if (value.isInt()) value = static_cast<double>(value.toInt());
                return value.isDouble();
            case TypeKind::BoolType:
            case TypeKind::SymBoolType:
                if (value.isInt() && (value.toInt() == 0 || value.toInt() == 1)) value = value.toInt() == 1;
                return value.isBool();
            case TypeKind::NumberType: return is_number(value);
            case TypeKind::ComplexType:
                if (value.isInt()) value = c10::complex<double>(static_cast<double>(value.toInt()));
                if (value.isDouble()) value = c10::complex<double>(value.toDouble());
                return value.isComplexDouble();
            case TypeKind::StringType: return value.isString();
            case TypeKind::DeviceObjType:
                if (value.isString()) value = c10::Device(value.toStringRef());
                return value.isDevice();
            case TypeKind::GeneratorType: return value.isGenerator();
            case TypeKind::ListType: return fit_list(value, type.castRaw<c10::ListType>()->getElementType(), length);
            case TypeKind::AnyType: return true;
            default: return false;
        }
    }

private:
    bool fit_tensor(IValue& value) const {
        if (value.isTensor()) return true;
        if (value.isNone()) return value = at::Tensor(), true;
        if (!is_number(value)) return false;
        value = number_tensor(value, number_device_);
        return true;
    }

    bool fit_list(IValue& value, const c10::TypePtr& element, std::optional<std::int32_t> length) const {
        if (element->kind() == TypeKind::IntType && value.isIntList()) return true;
        if (element->kind() == TypeKind::TensorType && value.isTensorList()) return true;
        std::vector<IValue> items;
        if (value.isList()) {
            const auto list = value.toList();
            items.reserve(list.size());
            for (std::size_t i = 0; i < list.size(); ++i) items.push_back(list.get(i));
        } else if (length && *length > 0 && *length < 16 && !value.isNone()) {
            items.assign(static_cast<std::size_t>(*length), value);
        } else {
            return false;
        }
        switch (element->kind()) {
            case TypeKind::TensorType: return fill<at::Tensor>(items, *element, value);
            case TypeKind::IntType:
            case TypeKind::SymIntType: return fill<std::int64_t>(items, *element, value);
            case TypeKind::FloatType: return fill<double>(items, *element, value);
            case TypeKind::BoolType: return fill<bool>(items, *element, value);
            default: break;
        }
        c10::impl::GenericList list(element);
        list.reserve(items.size());
        for (IValue& item : items) {
            if (!fit(item, *element)) return false;
            list.push_back(std::move(item));
        }
        value = std::move(list);
        return true;
    }

    template <typename T> bool fill(std::vector<IValue>& items, const c10::Type& element, IValue& out) const {
        c10::List<T> list;
        list.reserve(items.size());
        for (IValue& item : items) {
            if (!fit(item, element)) return false;
            list.push_back(std::move(item).to<T>());
        }
        out = std::move(list);
        return true;
    }

    c10::Device number_device_;
};

struct ToIValue {
    Result<IValue> operator()(const None&) const { return IValue(); }
    Result<IValue> operator()(const NodeReference&) const { return fail("", "a node stands where a constant was expected"); }
    Result<IValue> operator()(bool v) const { return IValue(v); }
    Result<IValue> operator()(std::int64_t v) const { return IValue(v); }
    Result<IValue> operator()(double v) const { return IValue(v); }
    Result<IValue> operator()(const std::complex<double>& v) const { return IValue(c10::complex<double>(v)); }
    Result<IValue> operator()(const std::string& v) const { return IValue(v); }
    Result<IValue> operator()(DType v) const {
        if (const auto type = scalar_type(v)) return IValue(static_cast<std::int64_t>(*type));
        return fail("", "this LibTorch does not know the type torch." + std::string(torch_name(v)));
    }
    Result<IValue> operator()(const DeviceName& v) const { return IValue(v.text); }
    Result<IValue> operator()(Layout v) const { return IValue(layout_number(v)); }
    Result<IValue> operator()(MemoryFormat v) const { return IValue(memory_format_number(v)); }
    Result<IValue> operator()(const SymbolicSize& v) const {
        if (const auto hint = v.hint()) return IValue(*hint);
        return fail("", "the size " + v.to_string() + " has no sample value");
    }
    Result<IValue> operator()(const ArgumentList& v) const {
        std::vector<IValue> items;
        items.reserve(v.items.size());
        for (const Argument& item : v.items) {
            auto converted = to_ivalue(item);
            if (!converted) return converted;
            items.push_back(std::move(*converted));
        }
        return make_list(std::move(items));
    }
    Result<IValue> operator()(const ArgumentDict&) const { return fail("", "an operator takes no dict"); }
    Result<IValue> operator()(const OpaqueText& v) const { return fail("", "the argument " + v.text + " is not understood"); }
};

} // namespace

std::optional<c10::ScalarType> scalar_type(DType dtype) {
    for (const auto& [ours, torchs] : scalar_types)
        if (ours == dtype) return torchs;
    return std::nullopt;
}

std::optional<DType> dtype_of(c10::ScalarType type) {
    for (const auto& [ours, torchs] : scalar_types)
        if (torchs == type) return ours;
    return std::nullopt;
}

Result<IValue> to_ivalue(const Argument& constant) { return std::visit(ToIValue{}, constant.value); }

IValue make_list(std::vector<IValue> items) {
    if (!items.empty() && std::all_of(items.begin(), items.end(), [](const IValue& v) { return v.isInt(); })) {
        c10::List<std::int64_t> list;
        list.reserve(items.size());
        for (const IValue& item : items) list.push_back(item.toInt());
        return list;
    }
    if (!items.empty() && std::all_of(items.begin(), items.end(), [](const IValue& v) { return v.isTensor(); })) {
        c10::List<at::Tensor> list;
        list.reserve(items.size());
        for (const IValue& item : items) list.push_back(item.toTensor());
        return list;
    }
    c10::impl::GenericList list(c10::AnyType::get());
    list.reserve(items.size());
    for (IValue& item : items) list.push_back(std::move(item));
    return list;
}

Result<IValue> coerce(IValue value, const c10::Argument& parameter, c10::Device number_device) {
    try {
        if (Coercion(number_device).fit(value, *parameter.type(), parameter.N())) return value;
    } catch (const std::exception&) {
        // a device name torch does not know
    }
    return fail("argument " + parameter.name(),
                "a value of type " + value.tagKind() + " does not fit " + parameter.real_type()->str());
}

std::optional<Argument> to_argument(const IValue& value) {
    if (value.isNone()) return Argument(None{});
    if (value.isInt()) return Argument(value.toInt());
    if (value.isDouble()) return Argument(value.toDouble());
    if (value.isBool()) return Argument(value.toBool());
    if (value.isComplexDouble()) return Argument(std::complex<double>(value.toComplexDouble()));
    if (value.isString()) return Argument(value.toStringRef());
    if (value.isDevice()) return Argument(DeviceName{value.toDevice().str()});
    if (value.isSymInt()) {
        if (const auto number = value.toSymInt().maybe_as_int()) return Argument(*number);
        return std::nullopt;
    }
    if (value.isList()) {
        ArgumentList list;
        for (const IValue& item : value.toListRef()) {
            auto converted = to_argument(item);
            if (!converted) return std::nullopt;
            list.items.push_back(std::move(*converted));
        }
        return Argument(std::move(list));
    }
    return std::nullopt;
}

} // namespace inspector
