// Element types, as FX text, print_readable and torch write them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace inspector {

enum class DType : std::uint8_t {
    u8, i8, i16, i32, i64, u16, u32, u64, f16, bf16, f32, f64, c32, c64, c128, b8,
    f8e5m2, f8e4m3fn, f8e5m2fnuz, f8e4m3fnuz, f8e8m0fnu, f4e2m1fn_x2, qint8, quint8, qint32, bits8,
};

/// "f32": the abbreviation print_readable uses.
[[nodiscard]] std::string_view short_name(DType dtype);
/// "float32": what follows "torch." in Python.
[[nodiscard]] std::string_view torch_name(DType dtype);
/// Bytes of one element.
[[nodiscard]] std::int64_t element_size(DType dtype);
[[nodiscard]] bool is_complex(DType dtype);
[[nodiscard]] bool is_floating_point(DType dtype);

[[nodiscard]] std::optional<DType> dtype_from_short_name(std::string_view name);
/// Takes "float32" and "torch.float32", and torch's aliases ("torch.half", "torch.long", …).
[[nodiscard]] std::optional<DType> dtype_from_torch_name(std::string_view name);

} // namespace inspector
