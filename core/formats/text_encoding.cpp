#include "core/formats/text_encoding.h"

#include <algorithm>

#include "core/graph/utf8.h"

namespace inspector {
namespace {

std::string from_utf16(std::string_view bytes, bool is_big_endian) {
    const auto unit = [&](std::size_t i) {
        const auto low = static_cast<unsigned char>(bytes[i + (is_big_endian ? 1 : 0)]);
        const auto high = static_cast<unsigned char>(bytes[i + (is_big_endian ? 0 : 1)]);
        return static_cast<char32_t>(high << 8 | low);
    };
    std::string text;
    text.reserve(bytes.size() / 2);
    for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
        char32_t code = unit(i);
        const bool is_pair =
            code >= 0xD800 && code < 0xDC00 && i + 3 < bytes.size() && unit(i + 2) >= 0xDC00 && unit(i + 2) < 0xE000;
        if (is_pair) {
            code = 0x10000 + ((code - 0xD800) << 10) + (unit(i + 2) - 0xDC00);
            i += 2;
        }
        append_utf8(text, code);
    }
    return text;
}

} // namespace

Result<DecodedText> decode_text(std::string bytes) {
    constexpr std::string_view utf8_mark = "\xEF\xBB\xBF";
    if (bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF"))
        bytes = from_utf16(std::string_view(bytes).substr(2), bytes.front() == '\xFE');
    else if (bytes.starts_with(utf8_mark)) bytes.erase(0, utf8_mark.size());
    if (bytes.find('\0') != std::string::npos) return fail({}, "this is neither a .pt2 archive nor text");
    auto fault = first_text_fault(bytes);
    return DecodedText{valid_utf8(std::move(bytes)), std::move(fault)};
}

std::optional<TextFault> first_text_fault(std::string_view bytes) {
    TextFault fault;
    for (std::size_t position = 0; position < bytes.size();) {
        const unsigned char c = static_cast<unsigned char>(bytes[position]);
        if (c == '\n') ++fault.line;
        if (c > 0 && c < 0x80) {
            ++position;
            continue;
        }
        const CodePoint point = decode_utf8(bytes, position);
        if (c == 0 || !point.is_valid) {
            fault.what = c == 0 ? "a zero byte" : "bytes that are not UTF-8";
            return fault;
        }
        position += point.bytes;
    }
    return std::nullopt;
}

std::string without_text_faults(std::string bytes) {
    constexpr char never_in_utf8 = '\xFF';
    std::ranges::replace(bytes, '\0', never_in_utf8);
    return valid_utf8(std::move(bytes));
}

} // namespace inspector
