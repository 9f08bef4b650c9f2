// Python's repr() of plain values, as generated FX code contains it.
#pragma once

#include <complex>
#include <string>
#include <string_view>

namespace inspector {

/// "1e-06", "1.0", "inf": the shortest digits that give the value back.
[[nodiscard]] std::string python_repr(double value);
/// "2j", "(1+2j)".
[[nodiscard]] std::string python_repr(const std::complex<double>& value);
/// "'text'" with Python's choice of quotes and escapes. Bytes that are not UTF-8 become "\xNN".
[[nodiscard]] std::string python_repr(std::string_view text);

} // namespace inspector
