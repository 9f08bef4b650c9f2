#include "core/graph/python_repr.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "core/graph/utf8.h"

namespace inspector {
namespace {

/// repr without the ".0" of whole numbers: the parts of a complex number are written so.
std::string shortest_digits(double value) {
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
    std::array<char, 40> buffer{};
    char* const limit = buffer.data() + buffer.size();
    const char* const end = std::to_chars(buffer.data(), limit, value, std::chars_format::scientific).ptr;
    const std::string_view text(buffer.data(), static_cast<std::size_t>(end - buffer.data()));
    const std::size_t mark = text.find('e');
    int exponent = 0;
    std::from_chars(text.data() + mark + (text[mark + 1] == '+' ? 2 : 1), text.data() + text.size(), exponent);
    if (exponent < -4 || exponent >= 16) return std::string(text);
    // Python writes these in fixed notation.
    std::string digits;
    for (const char c : text.substr(0, mark))
        if (c != '.' && c != '-') digits += c;
    const std::string sign = std::signbit(value) ? "-" : "";
    if (exponent < 0) return sign + "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits;
    const auto whole = static_cast<std::size_t>(exponent) + 1;
    if (digits.size() <= whole) return sign + digits + std::string(whole - digits.size(), '0');
    return sign + digits.substr(0, whole) + "." + digits.substr(whole);
}

/// Control, format, separator and private code points: what str.isprintable() denies, unassigned ones left aside.
bool is_printable(char32_t c) {
    struct Range { char32_t first, last; };
    constexpr std::array hidden{
        Range{0, 0x1F},         Range{0x7F, 0xA0},       Range{0xAD, 0xAD},        Range{0x600, 0x605},
        Range{0x61C, 0x61C},    Range{0x6DD, 0x6DD},     Range{0x70F, 0x70F},      Range{0x1680, 0x1680},
        Range{0x180E, 0x180E},  Range{0x2000, 0x200F},   Range{0x2028, 0x202F},    Range{0x205F, 0x206F},
        Range{0x3000, 0x3000},  Range{0xE000, 0xF8FF},   Range{0xFEFF, 0xFEFF},    Range{0xFFF0, 0xFFFB},
        Range{0xFFFE, 0xFFFF},  Range{0xE0000, 0xE007F}, Range{0xF0000, 0x10FFFF},
    };
    return std::ranges::none_of(hidden, [c](Range range) { return c >= range.first && c <= range.last; });
}

std::string escape(char32_t c) {
    const auto hex = [c](std::string_view prefix, unsigned digits) {
        std::string text(prefix);
        for (unsigned i = digits; i > 0; --i) text += "0123456789abcdef"[(c >> (4 * (i - 1))) & 0xFU];
        return text;
    };
    if (c == '\n') return "\\n";
    if (c == '\r') return "\\r";
    if (c == '\t') return "\\t";
    return c < 0x100 ? hex("\\x", 2) : c < 0x10000 ? hex("\\u", 4) : hex("\\U", 8);
}

} // namespace

std::string python_repr(double value) {
    std::string text = shortest_digits(value);
    return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
}

std::string python_repr(const std::complex<double>& value) {
    const std::string imaginary = shortest_digits(value.imag()) + "j";
    if (value.real() == 0 && !std::signbit(value.real())) return imaginary;
    return "(" + shortest_digits(value.real()) + (imaginary.starts_with('-') ? "" : "+") + imaginary + ")";
}

std::string python_repr(std::string_view text) {
    const bool only_single = text.find('\'') != std::string_view::npos && text.find('"') == std::string_view::npos;
    const char quote = only_single ? '"' : '\'';
    std::string quoted(1, quote);
    for (std::size_t at = 0; at < text.size();) {
        const CodePoint point = decode_utf8(text, at);
        if (!point.is_valid) {
            quoted += escape(static_cast<unsigned char>(text[at++]));
            continue;
        }
        if (point.value == static_cast<unsigned char>(quote) || point.value == '\\') quoted += '\\';
        if (is_printable(point.value)) quoted += text.substr(at, point.bytes);
        else quoted += escape(point.value);
        at += point.bytes;
    }
    return quoted + quote;
}

} // namespace inspector
