// Text that came from a file may hold any bytes; what this program writes is valid UTF-8.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace inspector {

/// One code point of `text` at `position`, and how many bytes it takes. Ill-formed bytes (overlong forms, surrogates,
/// values above U+10FFFF, cut sequences) give U+FFFD and the length of the longest part that could have begun a code
/// point, at least 1: the replacement the Unicode standard recommends (section 3.9) and Python's "replace" makes.
struct CodePoint { char32_t value = 0; std::size_t bytes = 1; bool is_valid = true; };
[[nodiscard]] CodePoint decode_utf8(std::string_view text, std::size_t position);

void append_utf8(std::string& text, char32_t code_point);

/// `text` with every ill-formed sequence replaced by U+FFFD. Valid text is returned as it is.
[[nodiscard]] std::string valid_utf8(std::string text);

/// valid_utf8 on one line, for a terminal or a label: control characters, which could move a cursor or end a line, become
/// U+FFFD, as do the marks that reverse the direction of writing.
[[nodiscard]] std::string one_line(std::string_view text);

} // namespace inspector
