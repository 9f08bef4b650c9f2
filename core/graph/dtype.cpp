#include "core/graph/dtype.h"

#include <array>

namespace inspector {
namespace {

enum class Family : std::uint8_t { integral, floating, complex, boolean, quantized, bits };

struct Entry {
    DType dtype;
    std::string_view short_name;
    std::string_view torch_name;
    std::int64_t bytes;
    Family family;
};

// In the order of the enumeration: entries are found by index.
constexpr std::array entries{
    Entry{DType::u8, "u8", "uint8", 1, Family::integral},
    Entry{DType::i8, "i8", "int8", 1, Family::integral},
    Entry{DType::i16, "i16", "int16", 2, Family::integral},
    Entry{DType::i32, "i32", "int32", 4, Family::integral},
    Entry{DType::i64, "i64", "int64", 8, Family::integral},
    Entry{DType::u16, "u16", "uint16", 2, Family::integral},
    Entry{DType::u32, "u32", "uint32", 4, Family::integral},
    Entry{DType::u64, "u64", "uint64", 8, Family::integral},
    Entry{DType::f16, "f16", "float16", 2, Family::floating},
    Entry{DType::bf16, "bf16", "bfloat16", 2, Family::floating},
    Entry{DType::f32, "f32", "float32", 4, Family::floating},
    Entry{DType::f64, "f64", "float64", 8, Family::floating},
    Entry{DType::c32, "c32", "complex32", 4, Family::complex},
    Entry{DType::c64, "c64", "complex64", 8, Family::complex},
    Entry{DType::c128, "c128", "complex128", 16, Family::complex},
    Entry{DType::b8, "b8", "bool", 1, Family::boolean},
    Entry{DType::f8e5m2, "f8e5m2", "float8_e5m2", 1, Family::floating},
    Entry{DType::f8e4m3fn, "f8e4m3fn", "float8_e4m3fn", 1, Family::floating},
    Entry{DType::f8e5m2fnuz, "f8e5m2fnuz", "float8_e5m2fnuz", 1, Family::floating},
    Entry{DType::f8e4m3fnuz, "f8e4m3fnuz", "float8_e4m3fnuz", 1, Family::floating},
    Entry{DType::f8e8m0fnu, "f8e8m0fnu", "float8_e8m0fnu", 1, Family::floating},
    Entry{DType::f4e2m1fn_x2, "f4e2m1fn_x2", "float4_e2m1fn_x2", 1, Family::floating},
    Entry{DType::qint8, "qint8", "qint8", 1, Family::quantized},
    Entry{DType::quint8, "quint8", "quint8", 1, Family::quantized},
    Entry{DType::qint32, "qint32", "qint32", 4, Family::quantized},
    Entry{DType::bits8, "bits8", "bits8", 1, Family::bits},
};

struct Alias {
    std::string_view name;
    DType dtype;
};
constexpr std::array aliases{
    Alias{"half", DType::f16},   Alias{"float", DType::f32},  Alias{"double", DType::f64}, Alias{"short", DType::i16},
    Alias{"int", DType::i32},    Alias{"long", DType::i64},   Alias{"chalf", DType::c32},  Alias{"cfloat", DType::c64},
    Alias{"cdouble", DType::c128},
};

constexpr const Entry& entry(DType dtype) { return entries[static_cast<std::size_t>(dtype)]; }

} // namespace

std::string_view short_name(DType dtype) { return entry(dtype).short_name; }
std::string_view torch_name(DType dtype) { return entry(dtype).torch_name; }
std::int64_t element_size(DType dtype) { return entry(dtype).bytes; }
bool is_complex(DType dtype) { return entry(dtype).family == Family::complex; }
bool is_floating_point(DType dtype) { return entry(dtype).family == Family::floating; }

std::optional<DType> dtype_from_short_name(std::string_view name) {
    for (const Entry& candidate : entries)
        if (candidate.short_name == name) return candidate.dtype;
    return std::nullopt;
}

std::optional<DType> dtype_from_torch_name(std::string_view name) {
    constexpr std::string_view prefix = "torch.";
    if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
    for (const Entry& candidate : entries)
        if (candidate.torch_name == name) return candidate.dtype;
    for (const Alias& alias : aliases)
        if (alias.name == name) return alias.dtype;
    return std::nullopt;
}

} // namespace inspector
