#include "core/graph/utf8.h"

#include <algorithm>
#include <cstdint>

namespace inspector {
namespace {

constexpr char32_t replacement = 0xFFFD;

bool is_control(char32_t c) {
    const bool control = c < 0x20 || (c >= 0x7F && c < 0xA0);
    const bool line_end = c == 0x2028 || c == 0x2029;
    const bool direction = c == 0x200E || c == 0x200F || (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
    const bool no_character = c == 0xFFFE || c == 0xFFFF; // XML forbids them
    return control || line_end || direction || no_character;
}

} // namespace

CodePoint decode_utf8(std::string_view text, std::size_t position) {
    const auto byte = [&](std::size_t at) -> std::uint32_t {
        return at < text.size() ? static_cast<unsigned char>(text[at]) : 0U;
    };
    const std::uint32_t lead = byte(position);
    if (lead < 0x80) return {static_cast<char32_t>(lead), 1, true};

    // Length, and the range of the second byte that excludes overlong forms, surrogates and values above U+10FFFF.
    std::size_t length = 0;
    std::uint32_t low = 0x80;
    std::uint32_t high = 0xBF;
    if (lead >= 0xC2 && lead <= 0xDF) length = 2;
    else if (lead >= 0xE0 && lead <= 0xEF) length = 3;
    else if (lead >= 0xF0 && lead <= 0xF4) length = 4;
    else return {replacement, 1, false};
    if (lead == 0xE0) low = 0xA0;
    else if (lead == 0xED) high = 0x9F;
    else if (lead == 0xF0) low = 0x90;
    else if (lead == 0xF4) high = 0x8F;

    std::uint32_t value = lead & (0xFFU >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) {
        const std::uint32_t next = byte(position + i);
        if (next < low || next > high) return {replacement, i, false};
        value = (value << 6) | (next & 0x3F);
        low = 0x80;
        high = 0xBF;
    }
    return {static_cast<char32_t>(value), length, true};
}

void append_utf8(std::string& text, char32_t code_point) {
    const auto c = static_cast<std::uint32_t>(code_point);
    const auto put = [&](std::uint32_t byte) { text.push_back(static_cast<char>(byte)); };
    if (c < 0x80) {
        put(c);
    } else if (c < 0x800) {
        put(0xC0 | (c >> 6));
        put(0x80 | (c & 0x3F));
    } else if (c < 0x10000) {
        put(0xE0 | (c >> 12));
        put(0x80 | ((c >> 6) & 0x3F));
        put(0x80 | (c & 0x3F));
    } else {
        put(0xF0 | (c >> 18));
        put(0x80 | ((c >> 12) & 0x3F));
        put(0x80 | ((c >> 6) & 0x3F));
        put(0x80 | (c & 0x3F));
    }
}

std::string valid_utf8(std::string text) {
    std::size_t position = 0;
    while (position < text.size()) {
        const CodePoint point = decode_utf8(text, position);
        if (!point.is_valid) break;
        position += point.bytes;
    }
    if (position == text.size()) return text;

    std::string valid = text.substr(0, position);
    while (position < text.size()) {
        const CodePoint point = decode_utf8(text, position);
        append_utf8(valid, point.value);
        position += point.bytes;
    }
    return valid;
}

std::string one_line(std::string_view text) {
    const auto is_plain = [](char c) { return c >= 0x20 && c < 0x7F; };
    if (std::all_of(text.begin(), text.end(), is_plain)) return std::string(text);
    std::string line;
    for (std::size_t position = 0; position < text.size();) {
        const CodePoint point = decode_utf8(text, position);
        append_utf8(line, is_control(point.value) ? replacement : point.value);
        position += point.bytes;
    }
    return line;
}

} // namespace inspector
